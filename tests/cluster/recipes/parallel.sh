# Eight shards, one thread each, as many at a time as there are cores; what fails is tried again.
parallel --retries 3 --joblog shards.log \
    keny run study.toml --shards 8 --shard {} --threads 1 ::: $(seq 0 7)
keny merge study.sqlite study-shard-*-of-8.sqlite
keny report study.sqlite --format markdown --out report.md
