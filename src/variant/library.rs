//! The variants that are built into the program, found by name from any folder.

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        /// The names of the shipped variants: Keny after Sokolov and its other readings, then
        /// straight kin, then diagonal kin.
        pub const NAMES: [&str; [$($name),+].len()] = [$($name),+];

        const TEXTS: [&str; NAMES.len()] =
            [$(include_str!(concat!("../../variants/", $name, ".toml"))),+];

        /// Their files of learned weights.
        pub(super) const WEIGHTS: [&str; NAMES.len()] =
            [$(include_str!(concat!("../../variants/weights/", $name, ".toml"))),+];
    };
}

shipped![
    "keny",
    "keny-other-sources",
    "keny-setupgroup",
    "keny-zillions",
    "keny-collection",
    "keny-collection-variant",
    "turkish",
    "greek",
    "comoros",
    "kenya",
    "armenian",
    "english",
    "russian",
    "brazilian",
    "pool",
    "spanish",
    "italian",
    "czech",
    "thai",
    "international",
];

/// The text of a shipped variant's file.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    NAMES.iter().position(|known| *known == name).map(|index| TEXTS[index])
}

/// The shipped name that equals this one.
#[must_use]
pub fn name(name: &str) -> Option<&'static str> {
    NAMES.into_iter().find(|known| *known == name)
}
