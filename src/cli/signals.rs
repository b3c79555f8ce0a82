//! Ctrl-C and SIGTERM: how a command that keeps what it has done hears of them.
//!
//! The hang-up of a terminal is not heard, so that `nohup` does what it says; it ends the program,
//! and the stored games stay.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::exit::{Exit, Failure};

/// What was heard so far.
#[derive(Debug)]
pub(super) struct Signals {
    stop: Arc<AtomicBool>,
    /// The exit code of the last signal.
    code: Arc<AtomicUsize>,
    /// Whether the next signal ends the program on the spot.
    at_once: Arc<AtomicBool>,
}

impl Signals {
    /// Listens from now on. The first signal sets [`Self::stop`]; the second ends the program.
    pub(super) fn listen() -> Result<Self, Failure> {
        let signals = Self {
            stop: Arc::new(AtomicBool::new(false)),
            code: Arc::new(AtomicUsize::new(Exit::Interrupted.code().into())),
            at_once: Arc::new(AtomicBool::new(false)),
        };
        let Self { stop, code, at_once } = &signals;
        let listen = |signal, exit: Exit| -> std::io::Result<()> {
            // They act in this order: the first signal finds `at_once` not set yet.
            flag::register_conditional_shutdown(signal, exit.code().into(), Arc::clone(at_once))?;
            flag::register(signal, Arc::clone(at_once))?;
            flag::register_usize(signal, Arc::clone(code), exit.code().into())?;
            flag::register(signal, Arc::clone(stop))?;
            Ok(())
        };
        listen(SIGINT, Exit::Interrupted)
            .and_then(|()| listen(SIGTERM, Exit::Terminated))
            .map_err(|error| Failure::say(Exit::Io, format!("cannot listen to Ctrl-C: {error}")))?;
        Ok(signals)
    }

    /// Set when the work shall stop and be kept.
    pub(super) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// The end that the last signal asks for.
    pub(super) fn exit(&self) -> Exit {
        if self.code.load(Ordering::SeqCst) == usize::from(Exit::Terminated.code()) {
            Exit::Terminated
        } else {
            Exit::Interrupted
        }
    }

    /// There is nothing left to keep: from now on a signal ends the program on the spot. The end
    /// that an earlier signal asks for, if there was one.
    pub(super) fn end_at_once(&self) -> Option<Exit> {
        self.at_once.store(true, Ordering::SeqCst);
        self.stop.load(Ordering::SeqCst).then(|| self.exit())
    }
}
