"""Machines that do not trust each other: identities, links, the signed ledger, the cards."""
