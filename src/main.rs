//! The program: parses the command line, runs the command, maps its error to an exit code.

fn main() {}
