# A merge that lacks games prints the shards to play again, as `--array=3,5`.
missing=$(keny merge study.sqlite study-shard-*-of-8.sqlite) || {
    sbatch --wait "$missing" shard.sbatch
    keny merge study.sqlite study-shard-*-of-8.sqlite
}
