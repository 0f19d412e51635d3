"""What is said, in the language of the person.

text.py            every sentence, by its key in locales/; particles.py: of Korean
error_texts.py     errors, which are raised in English
plugin_errors.py   errors of games of other packages
"""
