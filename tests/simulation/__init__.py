"""The real program on a virtual network, disk and clock, in one process, from one seed."""
