hq submit --wait --array 0-7 --cpus 1 --crash-limit 3 -- \
    keny run study.toml --shards 8 --shard-from-env HQ_TASK_ID --threads 1
keny merge study.sqlite study-shard-*-of-8.sqlite
