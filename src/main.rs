//! The program `keny`: see [`keny::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    keny::cli::main()
}
