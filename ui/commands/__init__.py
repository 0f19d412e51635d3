"""One module per command, each with `run(args) -> int`; imported when the command is given."""
