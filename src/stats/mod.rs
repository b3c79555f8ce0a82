//! Judging numbers: intervals, tests, corrections and designs. Knows nothing of games or files.
