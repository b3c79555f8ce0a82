//! The clock: the only place that reads it, to say how long something took and what day it is.

#[cfg(not(unix))]
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A moment to measure from.
#[expect(clippy::disallowed_methods, reason = "commands say how long they took")]
pub(super) fn now() -> Instant {
    Instant::now()
}

/// How long the calling thread has worked: its own time on a processor, however busy the machine
/// is; where the system does not tell that, the time that has passed.
#[cfg(unix)]
pub(super) fn worked() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    // A thread's own clock is neither negative nor out of range.
    time.try_into().unwrap_or_default()
}

/// How long the calling thread has worked, waiting included.
#[cfg(not(unix))]
pub(super) fn worked() -> Duration {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    BEGUN.get_or_init(now).elapsed()
}

/// What [`worked`] measures, and the kind of machine, in words.
pub(super) fn told() -> String {
    let what = if cfg!(unix) { "Processor time" } else { "Elapsed time" };
    let (arch, os) = (std::env::consts::ARCH, std::env::consts::OS);
    // Linux says which processor it is.
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or_else(String::new, |(_, model)| format!(" ({})", model.trim()));
    format!("{what} of one thread, {arch} {os}{model}")
}

/// The day as PDN writes it, in UTC: `2026.11.29`.
#[expect(clippy::disallowed_methods, reason = "a saved game says when it was played")]
pub(super) fn today() -> String {
    let days =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |past| past.as_secs() / 86_400);
    date(days)
}

/// The date that many days after 1970-01-01 (Hinnant, "chrono-compatible low-level date
/// algorithms", `civil_from_days`).
fn date(days: u64) -> String {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_become_dates() {
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(11_016), "2000.02.29");
        assert_eq!(date(19_782), "2024.02.29");
        assert_eq!(date(20_819), "2027.01.01");
    }
}
