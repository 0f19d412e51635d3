"""One screen a file.  Screens draw what they are told and send commands; they decide nothing."""
