"""Tables that appear by themselves on a local network, by several ways, each a hint and no fact.

discovery    every way at once            dns_sd, beacon    the ways
sightings    what is to be seen now       table_ad          what a table says of itself
interfaces   through which a machine can be heard
"""
