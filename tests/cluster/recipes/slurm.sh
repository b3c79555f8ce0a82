# The merge waits for all tasks, however they end.
job=$(sbatch --parsable shard.sbatch)
sbatch --dependency=afterany:"$job" merge.sbatch
