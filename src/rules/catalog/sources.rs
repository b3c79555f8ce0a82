//! The sources that the catalog names, each by a short id.

/// A text on the rules of Keny.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The short id that the rows of the catalog use.
    pub id: &'static str,
    /// What and where it is.
    pub citation: &'static str,
}

/// All sources on Keny.
pub const SOURCES: &[Source] = &[
    Source {
        id: "WP",
        citation: "Wikipedia, \"Keny (game)\", reporting Nikita Sokolov, \"Давненько не брали мы \
                   в руки шашек…\", Ex Oriente Ludus, spring 2005, pp. 148-149",
    },
    Source {
        id: "WPo",
        citation: "the \"other sources\" that the notes of Wikipedia, \"Keny (game)\", mention \
                   beside Sokolov",
    },
    Source { id: "RU", citation: "Wikipedia in Russian, \"Кены\"" },
    Source {
        id: "SG",
        citation: "setupgroup.com, rules page of the program XO, \"Ossetian checkers (Kena)\"",
    },
    Source {
        id: "OK",
        citation: "Zillions of Games rules file \"Ossetian Kena\" (GitHub, DagazProject/ZRF)",
    },
    Source {
        id: "CA",
        citation: "Zillions of Games \"Checkers Collection\", game \"Ossetian Kena\" (GitHub, \
                   DagazProject/ZRF)",
    },
    Source {
        id: "CB",
        citation: "Zillions of Games \"Checkers Collection\", game \"Ossetian Kena (variant)\" \
                   (GitHub, DagazProject/ZRF)",
    },
];

/// The source with this id.
#[must_use]
pub fn source(id: &str) -> Option<&'static Source> {
    SOURCES.iter().find(|source| source.id == id)
}
