"""Every key that does something, in one registry.

Bindings, the line of keys at the bottom, the palette and the help screen are made from it, so
they cannot disagree.  The letters that pick an offer at the table are what the registry leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import ascii_lowercase
from typing import Final, NamedTuple

from textual.binding import Binding


class KeyAction(NamedTuple):
    """One thing a key does: the action's name, the key, and the screen it belongs to."""

    name: str
    key: str
    where: str
    is_shown: bool = True  # In the line of keys; the help screen shows all.
    is_for_seated: bool = False  # Not shown to somebody who looks on.

    @property
    def sentence(self) -> str:
        """Under which key the catalogues say what it does."""
        return f"key.{self.name}"


REGISTRY: Final = (
    KeyAction("play_bots", "b", "lobby"),
    KeyAction("join_table", "enter", "lobby"),
    KeyAction("learn", "t", "lobby", is_shown=False),  # A newcomer sees it in the list.
    KeyAction("open_table", "o", "lobby"),
    KeyAction("watch", "w", "lobby", is_shown=False),
    KeyAction("join_address", "a", "lobby"),
    KeyAction("replays", "g", "lobby"),
    KeyAction("people", "p", "lobby", is_shown=False),  # Whoever is there stands below the list.
    KeyAction("settings", "s", "lobby"),
    KeyAction("help", "question_mark", "lobby"),
    KeyAction("quit_program", "q", "lobby"),
    KeyAction("look_back", "enter", "games"),
    KeyAction("resume", "r", "games"),
    KeyAction("back", "escape", "games"),
    KeyAction("back", "q", "games", is_shown=False),
    KeyAction("form_done", "enter", "form"),
    KeyAction("back", "escape", "form"),
    KeyAction("form_done", "enter", "parts"),
    KeyAction("back", "escape", "parts"),
    KeyAction("fill_with_bots", "b", "gathering"),
    KeyAction("rules", "r", "gathering"),
    KeyAction("leave", "q", "gathering"),
    KeyAction("settings", "s", "gathering"),
    KeyAction("help", "question_mark", "gathering"),
    KeyAction("confirm", "enter", "table", is_for_seated=True),
    KeyAction("unpick", "escape", "table", is_shown=False),
    KeyAction("pick_next", "tab", "table", is_shown=False),
    KeyAction("pick_previous", "shift+tab", "table", is_shown=False),
    KeyAction("move('left')", "left", "table", is_shown=False),
    KeyAction("move('right')", "right", "table", is_shown=False),
    KeyAction("move('up')", "up", "table", is_shown=False),
    KeyAction("move('down')", "down", "table", is_shown=False),
    KeyAction("read('left')", "shift+left", "table", is_shown=False),
    KeyAction("read('right')", "shift+right", "table", is_shown=False),
    KeyAction("read('up')", "shift+up", "table", is_shown=False),
    KeyAction("read('down')", "shift+down", "table", is_shown=False),
    KeyAction("take_back", "u", "table", is_shown=False),
    KeyAction("take_back", "backspace", "table", is_shown=False),
    KeyAction("stand", "equals_sign", "table", is_shown=False),
    KeyAction("ask_again", "minus", "table", is_shown=False),
    KeyAction("hint", "h", "table", is_for_seated=True),
    KeyAction("log", "l", "table"),
    KeyAction("texts", "space", "table"),
    KeyAction("pile", "p", "table", is_shown=False),
    KeyAction("fairness", "f", "table", is_shown=False),  # It stands in the first line.
    KeyAction("talk", "slash", "table", is_for_seated=True),
    KeyAction("react", "exclamation_mark", "table", is_shown=False),
    KeyAction("mute", "M", "table", is_shown=False),
    KeyAction("pause", "P", "table", is_shown=False),  # Shown where there are clocks.
    KeyAction("explain", "L", "table", is_shown=False),
    KeyAction("rules", "r", "table"),
    KeyAction("settings", "S", "table", is_shown=False),  # The small one skips, in some games.
    KeyAction("help", "question_mark", "table"),
    KeyAction("leave", "q", "table"),
    KeyAction("rematch", "N", "table", is_shown=False),
    KeyAction("give_up", "Q", "table", is_shown=False),
    KeyAction("claim_win", "C", "table", is_shown=False),
    KeyAction("practise_meanwhile", "B", "table", is_shown=False),
    KeyAction("back", "escape", "page"),
    KeyAction("back", "q", "page", is_shown=False),
    KeyAction("go_on", "enter", "goal"),
    KeyAction("go_on", "escape", "goal", is_shown=False),
    KeyAction("go_on", "q", "goal", is_shown=False),
    KeyAction("rematch", "N", "end", is_for_seated=True),  # As at the table, where n picks.
    KeyAction("talk", "slash", "end", is_for_seated=True),
    KeyAction("mute", "M", "end", is_shown=False),
    KeyAction("look_back", "v", "end"),
    KeyAction("review", "c", "end", is_shown=False),
    KeyAction("turning", "t", "end", is_shown=False),  # The page says it once it is known.
    KeyAction("settings", "s", "end", is_shown=False),
    KeyAction("back", "escape", "end"),
    KeyAction("to_lobby", "q", "end"),
    KeyAction("react", "exclamation_mark", "end", is_for_seated=True),
    KeyAction("jump", "enter", "log"),
    KeyAction("rules", "r", "log"),
    KeyAction("fold", "z", "log"),
    KeyAction("back", "escape", "log"),
    KeyAction("back", "q", "log", is_shown=False),
    KeyAction("jump", "enter", "review"),
    KeyAction("back", "escape", "review"),
    KeyAction("back", "q", "review", is_shown=False),
    KeyAction("write_note", "enter", "texts"),
    KeyAction("back", "escape", "texts"),
    KeyAction("back", "q", "texts", is_shown=False),
    KeyAction("take_over", "y", "elsewhere"),
    KeyAction("leave_there", "n", "elsewhere"),
    KeyAction("agree", "y", "asked_back"),
    KeyAction("decline", "n", "asked_back"),
    KeyAction("decline", "escape", "asked_back", is_shown=False),
    KeyAction("compared", "enter", "fairness"),
    KeyAction("back", "escape", "fairness"),
    KeyAction("back", "q", "fairness", is_shown=False),
    KeyAction("step_back", "left", "replay"),
    KeyAction("step_on", "right", "replay"),
    KeyAction("jump_back", "up", "replay", is_shown=False),  # Its neighbour shows it.
    KeyAction("jump_on", "down", "replay"),
    KeyAction("read('left')", "shift+left", "replay", is_shown=False),
    KeyAction("read('right')", "shift+right", "replay", is_shown=False),
    KeyAction("read('up')", "shift+up", "replay", is_shown=False),
    KeyAction("read('down')", "shift+down", "replay", is_shown=False),
    KeyAction("change_seat", "s", "replay"),
    KeyAction("practise", "b", "replay"),
    KeyAction("review", "c", "replay", is_shown=False),
    KeyAction("turning", "t", "replay", is_shown=False),
    KeyAction("first", "home", "replay", is_shown=False),
    KeyAction("last", "end", "replay", is_shown=False),
    KeyAction("hint", "h", "replay", is_shown=False),
    KeyAction("log", "l", "replay"),
    KeyAction("texts", "space", "replay", is_shown=False),
    KeyAction("pile", "p", "replay", is_shown=False),
    KeyAction("rules", "r", "replay", is_shown=False),
    KeyAction("help", "question_mark", "replay", is_shown=False),
    KeyAction("back", "escape", "replay"),
    KeyAction("back", "q", "replay", is_shown=False),
    KeyAction("confirm", "enter", "practice"),
    KeyAction("unpick", "escape", "practice", is_shown=False),
    KeyAction("pick_next", "tab", "practice", is_shown=False),
    KeyAction("pick_previous", "shift+tab", "practice", is_shown=False),
    KeyAction("move('left')", "left", "practice", is_shown=False),
    KeyAction("move('right')", "right", "practice", is_shown=False),
    KeyAction("move('up')", "up", "practice", is_shown=False),
    KeyAction("move('down')", "down", "practice", is_shown=False),
    KeyAction("read('left')", "shift+left", "practice", is_shown=False),
    KeyAction("read('right')", "shift+right", "practice", is_shown=False),
    KeyAction("read('up')", "shift+up", "practice", is_shown=False),
    KeyAction("read('down')", "shift+down", "practice", is_shown=False),
    KeyAction("take_back", "u", "practice", is_shown=False),
    KeyAction("take_back", "backspace", "practice", is_shown=False),
    KeyAction("hint", "h", "practice"),
    KeyAction("log", "l", "practice"),
    KeyAction("texts", "space", "practice"),
    KeyAction("pile", "p", "practice", is_shown=False),
    KeyAction("explain", "L", "practice", is_shown=False),
    KeyAction("rules", "r", "practice"),
    KeyAction("help", "question_mark", "practice"),
    KeyAction("back", "q", "practice"),
)
WHERE: Final = tuple(dict.fromkeys(action.where for action in REGISTRY))
KEY_NAMES: Final = {"question_mark": "?", "escape": "esc", "left": "←", "right": "→", "up": "↑",
                    "down": "↓", "slash": "/", "exclamation_mark": "!", "equals_sign": "=",
                    "minus": "-", "shift+left": "shift+←", "shift+right": "shift+→",
                    "shift+up": "shift+↑", "shift+down": "shift+↓"}  # fmt: skip


_own: dict[str, str] = {}  # The keys that the person has chosen, by the id of the usual binding.


def actions_of(where: str) -> Iterator[KeyAction]:
    """The registered actions of a screen with their keys, in the order in which they are shown."""
    for action in REGISTRY:
        if action.where == where:
            yield action._replace(key=_own.get(binding_id(action), action.key))


def key_of(where: str, name: str) -> str:
    """The key of an action on a screen."""
    return next(action.key for action in actions_of(where) if action.name == name)


def binding_id(action: KeyAction) -> str:
    """By which a binding is told from all others: its screen, its action, its usual key."""
    return f"{action.where}.{action.name}.{action.key}"


def use_keys(keymap: Mapping[str, str]) -> None:
    """Use these keys from now on, by the ids of the bindings; `ui.own_keys` has made sure."""
    _own.clear()
    _own.update(keymap)


def bindings(where: str) -> list[Binding | tuple[str, str] | tuple[str, str, str]]:
    """The bindings of a screen.  Our own line of keys shows them, in the person's language."""
    return [
        Binding(action.key, action.name, show=False, id=binding_id(action))
        for action in REGISTRY
        if action.where == where
    ]


def key_name(key: str, is_ascii: bool = False) -> str:
    """How a key is written on the screen."""
    return key if is_ascii and not KEY_NAMES.get(key, "").isascii() else KEY_NAMES.get(key, key)


def free_letters() -> str:
    """The letters that mean nothing at the table yet, for picks; `e` and `s` are end and skip."""
    taken = {action.key for action in REGISTRY if action.where == "table"}
    return "".join(letter for letter in ascii_lowercase if letter not in taken)
