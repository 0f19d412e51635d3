"""Where thinking is done.

workers.py      when processes of ours start and end; retries.py: when one has died
executors.py    where games of a tournament are played: processes, or a Dask cluster
"""
