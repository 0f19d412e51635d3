"""Screens: everything a person sees, hears and presses.  Nothing here knows a rule of a game.

Between the node and a front end:

    port.py              commands and news: the two directions
    bridge.py            trio as a guest in the loop of the screen
    hints.py             the adviser beside the node: hints, reviews, win curves

What is shown of a table, the same on the screen and in lines of text:

    view_model.py        a view with names, labels and looks, before anything is drawn
    picks.py             the labels that pick an offer; several.py: several cards at once
    prompt.py            what the table waits for; why_not.py: why a card cannot be chosen
    sentences.py         offers and log lines as sentences; story.py: the log of a game by turns
    zones.py             zones and numbers by their names, where nobody has drawn a game
    away.py              who is silent; clocks.py, pause.py: time; fairness.py: what was proven
    substituted.py       what a bot chose for me; beside_heard.py: what stands beside a game
    result.py            who won and why; course.py: how it went; review.py: costly choices
    talk.py              what people say; people.py: who is on the network
    open_tables.py       tables of others; own_games.py: my games; filling.py: a table that fills
    lesson.py            the commentary of a first game; rules.py: the rules; notes.py: own notes

What a person has chosen, at a table:

    pending_choices.py   not sent yet, so it can be taken back; unsent.py: lost with the program
    asked_back.py        to ask the table to go back
    premove.py           for my next turn; standing.py: for good

How a game looks: look.py is what it can say, games/ has ours.

The screen, in a terminal or in a tab of a browser (browser/):

    app.py               the app and its modes; screens/ and widgets/ are its parts
    key_bindings.py      every key that does something; keymap.py: the person's own keys
    draw/                all that is drawn, as rows of spans.py
    toasts.py            how long a toast stays
    themes.py            colours; stylesheet.py: styles are parsed once
    keyboard.py, terminal.py, console.py    what Textual does otherwise, or not at all
    breaking.py          where a line may end
    garbage.py           when garbage is collected

Lines of text:

    plain.py             the loop; plain_presenter.py: news to lines, typed lines to commands
    table_lines.py, card_lines.py, lobby_lines.py, gathering_heard.py    what it says

Games that are over:

    recording.py         a game file as views to leaf through; practice.py: play on from there

Languages:

    text.py              every sentence, by its key in locales/; particles.py: of Korean
    error_texts.py       errors, which are raised in English; fault.py: a fault of ours
    plugin_errors.py     errors of games of other packages

The command line:

    __main__.py          commandline.py says what it accepts; commands/ has a module for each one
    parser.py            speaks the person's language; arguments.py: what values may be
    game_help.py         games and options in the help; completion.py: for a shell
    settings.py          what a person has chosen about the screen
    system.py            what systems do differently; diagnosis.py: the log file of a home
    foreign.py           a foreign program on a seat
    doctor/              what `doctor` looks at

From the news to a painted row, and back: ARCHITECTURE.md.
"""
