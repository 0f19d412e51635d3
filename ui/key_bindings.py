"""Every key that does something, in one registry: `KEY_BINDINGS`.

Textual's bindings, the line of keys at the bottom, the palette and the help screen are made from
it, so they cannot disagree.  The letters that pick an offer (`ui.model.picks`) are what it leaves.

Whoever adds a key adds a row here, a method `action_NAME` to the screen that it belongs to, and the
sentence `NAME` of `[key]` in each language.  What it means now, the screen says: `label_key`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from textual.binding import Binding


class KeyBinding(NamedTuple):
    """One thing a key does: the name of the screen's action, the key, and the screen (`where`)."""

    name: str
    key: str
    where: str
    is_shown: bool = True  # In the line of keys; the help screen shows all.
    is_for_seated: bool = False  # Not shown to somebody who looks on.

    @property
    def sentence(self) -> str:
        """Under which key the catalogues say what it does."""
        return f"key.{self.name}"


KEY_BINDINGS: Final = (
    KeyBinding("play_bots", "b", "lobby"),
    KeyBinding("join_table", "enter", "lobby"),
    KeyBinding("learn", "t", "lobby", is_shown=False),  # A newcomer sees it in the list.
    KeyBinding("open_table", "o", "lobby"),
    KeyBinding("watch", "w", "lobby", is_shown=False),
    KeyBinding("join_address", "a", "lobby"),
    KeyBinding("replays", "g", "lobby"),
    KeyBinding("people", "p", "lobby", is_shown=False),  # Whoever is there stands below the list.
    KeyBinding("settings", "s", "lobby"),
    KeyBinding("help", "question_mark", "lobby"),
    KeyBinding("quit_program", "q", "lobby"),
    KeyBinding("look_back", "enter", "games"),
    KeyBinding("resume", "r", "games"),
    KeyBinding("back", "escape", "games"),
    KeyBinding("back", "q", "games", is_shown=False),
    KeyBinding("form_done", "enter", "form"),
    KeyBinding("back", "escape", "form"),
    KeyBinding("form_done", "enter", "parts"),
    KeyBinding("back", "escape", "parts"),
    KeyBinding("fill_with_bots", "b", "gathering"),
    KeyBinding("rules", "r", "gathering"),
    KeyBinding("leave", "q", "gathering"),
    KeyBinding("settings", "s", "gathering"),
    KeyBinding("help", "question_mark", "gathering"),
    KeyBinding("confirm", "enter", "table", is_for_seated=True),
    KeyBinding("unpick", "escape", "table", is_shown=False),
    KeyBinding("pick_next", "tab", "table", is_shown=False),
    KeyBinding("pick_previous", "shift+tab", "table", is_shown=False),
    KeyBinding("move('left')", "left", "table", is_shown=False),
    KeyBinding("move('right')", "right", "table", is_shown=False),
    KeyBinding("move('up')", "up", "table", is_shown=False),
    KeyBinding("move('down')", "down", "table", is_shown=False),
    KeyBinding("read('left')", "shift+left", "table", is_shown=False),
    KeyBinding("read('right')", "shift+right", "table", is_shown=False),
    KeyBinding("read('up')", "shift+up", "table", is_shown=False),
    KeyBinding("read('down')", "shift+down", "table", is_shown=False),
    KeyBinding("take_back", "u", "table", is_shown=False),
    KeyBinding("take_back", "backspace", "table", is_shown=False),
    KeyBinding("stand", "equals_sign", "table", is_shown=False),
    KeyBinding("ask_again", "minus", "table", is_shown=False),
    KeyBinding("hint", "h", "table", is_for_seated=True),
    KeyBinding("log", "l", "table"),
    KeyBinding("texts", "space", "table"),
    KeyBinding("pile", "p", "table", is_shown=False),
    KeyBinding("fairness", "f", "table", is_shown=False),  # It stands in the first line.
    KeyBinding("talk", "slash", "table", is_for_seated=True),
    KeyBinding("react", "exclamation_mark", "table", is_shown=False),
    KeyBinding("mute", "M", "table", is_shown=False),
    KeyBinding("pause", "P", "table", is_shown=False),  # Shown where there are clocks.
    KeyBinding("explain", "L", "table", is_shown=False),
    KeyBinding("rules", "r", "table"),
    KeyBinding("settings", "S", "table", is_shown=False),  # The small one skips, in some games.
    KeyBinding("help", "question_mark", "table"),
    KeyBinding("leave", "q", "table"),
    KeyBinding("rematch", "N", "table", is_shown=False),
    KeyBinding("give_up", "Q", "table", is_shown=False),
    KeyBinding("claim_win", "C", "table", is_shown=False),
    KeyBinding("practise_meanwhile", "B", "table", is_shown=False),
    KeyBinding("back", "escape", "page"),
    KeyBinding("back", "q", "page", is_shown=False),
    KeyBinding("go_on", "enter", "goal"),
    KeyBinding("go_on", "escape", "goal", is_shown=False),
    KeyBinding("go_on", "q", "goal", is_shown=False),
    KeyBinding("rematch", "N", "end", is_for_seated=True),  # As at the table, where n picks.
    KeyBinding("talk", "slash", "end", is_for_seated=True),
    KeyBinding("mute", "M", "end", is_shown=False),
    KeyBinding("look_back", "v", "end"),
    KeyBinding("review", "c", "end", is_shown=False),
    KeyBinding("turning", "t", "end", is_shown=False),  # The page says it once it is known.
    KeyBinding("settings", "s", "end", is_shown=False),
    KeyBinding("back", "escape", "end"),
    KeyBinding("to_lobby", "q", "end"),
    KeyBinding("react", "exclamation_mark", "end", is_for_seated=True),
    KeyBinding("jump", "enter", "log"),
    KeyBinding("rules", "r", "log"),
    KeyBinding("fold", "z", "log"),
    KeyBinding("back", "escape", "log"),
    KeyBinding("back", "q", "log", is_shown=False),
    KeyBinding("jump", "enter", "review"),
    KeyBinding("back", "escape", "review"),
    KeyBinding("back", "q", "review", is_shown=False),
    KeyBinding("write_note", "enter", "texts"),
    KeyBinding("back", "escape", "texts"),
    KeyBinding("back", "q", "texts", is_shown=False),
    KeyBinding("take_over", "y", "elsewhere"),
    KeyBinding("leave_there", "n", "elsewhere"),
    KeyBinding("agree", "y", "asked_back"),
    KeyBinding("decline", "n", "asked_back"),
    KeyBinding("decline", "escape", "asked_back", is_shown=False),
    KeyBinding("compared", "enter", "fairness"),
    KeyBinding("back", "escape", "fairness"),
    KeyBinding("back", "q", "fairness", is_shown=False),
    KeyBinding("step_back", "left", "replay"),
    KeyBinding("step_on", "right", "replay"),
    KeyBinding("jump_back", "up", "replay", is_shown=False),  # Its neighbour shows it.
    KeyBinding("jump_on", "down", "replay"),
    KeyBinding("read('left')", "shift+left", "replay", is_shown=False),
    KeyBinding("read('right')", "shift+right", "replay", is_shown=False),
    KeyBinding("read('up')", "shift+up", "replay", is_shown=False),
    KeyBinding("read('down')", "shift+down", "replay", is_shown=False),
    KeyBinding("change_seat", "s", "replay"),
    KeyBinding("practise", "b", "replay"),
    KeyBinding("review", "c", "replay", is_shown=False),
    KeyBinding("turning", "t", "replay", is_shown=False),
    KeyBinding("first", "home", "replay", is_shown=False),
    KeyBinding("last", "end", "replay", is_shown=False),
    KeyBinding("hint", "h", "replay", is_shown=False),
    KeyBinding("log", "l", "replay"),
    KeyBinding("texts", "space", "replay", is_shown=False),
    KeyBinding("pile", "p", "replay", is_shown=False),
    KeyBinding("rules", "r", "replay", is_shown=False),
    KeyBinding("help", "question_mark", "replay", is_shown=False),
    KeyBinding("back", "escape", "replay"),
    KeyBinding("back", "q", "replay", is_shown=False),
    KeyBinding("confirm", "enter", "practice"),
    KeyBinding("unpick", "escape", "practice", is_shown=False),
    KeyBinding("pick_next", "tab", "practice", is_shown=False),
    KeyBinding("pick_previous", "shift+tab", "practice", is_shown=False),
    KeyBinding("move('left')", "left", "practice", is_shown=False),
    KeyBinding("move('right')", "right", "practice", is_shown=False),
    KeyBinding("move('up')", "up", "practice", is_shown=False),
    KeyBinding("move('down')", "down", "practice", is_shown=False),
    KeyBinding("read('left')", "shift+left", "practice", is_shown=False),
    KeyBinding("read('right')", "shift+right", "practice", is_shown=False),
    KeyBinding("read('up')", "shift+up", "practice", is_shown=False),
    KeyBinding("read('down')", "shift+down", "practice", is_shown=False),
    KeyBinding("take_back", "u", "practice", is_shown=False),
    KeyBinding("take_back", "backspace", "practice", is_shown=False),
    KeyBinding("hint", "h", "practice"),
    KeyBinding("log", "l", "practice"),
    KeyBinding("texts", "space", "practice"),
    KeyBinding("pile", "p", "practice", is_shown=False),
    KeyBinding("explain", "L", "practice", is_shown=False),
    KeyBinding("rules", "r", "practice"),
    KeyBinding("help", "question_mark", "practice"),
    KeyBinding("back", "q", "practice"),
)
WHERE: Final = tuple(dict.fromkeys(binding.where for binding in KEY_BINDINGS))
KEY_NAMES: Final = {"question_mark": "?", "escape": "esc", "left": "←", "right": "→", "up": "↑",
                    "down": "↓", "slash": "/", "exclamation_mark": "!", "equals_sign": "=",
                    "minus": "-", "shift+left": "shift+←", "shift+right": "shift+→",
                    "shift+up": "shift+↑", "shift+down": "shift+↓"}  # fmt: skip


_own: dict[str, str] = {}  # The keys that the person has chosen, by the id of the usual binding.


def bindings_of(where: str) -> Iterator[KeyBinding]:
    """The bindings of a screen, with the person's own keys, in the order of the line of keys."""
    for binding in KEY_BINDINGS:
        if binding.where == where:
            yield binding._replace(key=_own.get(binding_id(binding), binding.key))


def key_of(where: str, name: str) -> str:
    """The key of an action on a screen."""
    return next(binding.key for binding in bindings_of(where) if binding.name == name)


def binding_id(binding: KeyBinding) -> str:
    """By which a binding is told from all others: its screen, its action, its usual key."""
    return f"{binding.where}.{binding.name}.{binding.key}"


def use_keymap(keymap: Mapping[str, str]) -> None:
    """Use these keys from now on, by the ids of the bindings; `ui.keymap` has made sure."""
    _own.clear()
    _own.update(keymap)


def textual_bindings(where: str) -> list[Binding | tuple[str, str] | tuple[str, str, str]]:
    """The same for Textual.  Our own line of keys shows them, in the person's language."""
    return [
        Binding(binding.key, binding.name, show=False, id=binding_id(binding))
        for binding in KEY_BINDINGS
        if binding.where == where
    ]


def key_name(key: str, is_ascii: bool = False) -> str:
    """How a key is written on the screen."""
    return key if is_ascii and not KEY_NAMES.get(key, "").isascii() else KEY_NAMES.get(key, key)
