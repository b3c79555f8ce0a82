//! The board as an array of cells, and its text. Knows no rule but how a board is laid out.

use keny::board::{Kind, Side, Squares};
use keny::rules::{BoardRules, Direction, Directions, Notation, Ruleset, Setup};

/// File and rank, both from 0.
pub(crate) type Spot = (i8, i8);

/// One place along a direction: files and ranks.
pub(crate) type Unit = (i8, i8);

/// The cells of a board, by file, then rank; a cell beyond the edge or not playable stays empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cells {
    files: i8,
    ranks: i8,
    squares: Squares,
    at: [[Option<(Side, Kind)>; 16]; 16],
}

/// Pieces and side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) cells: Cells,
    pub(crate) side: Side,
}

impl Cells {
    pub(crate) fn empty(board: &BoardRules) -> Self {
        Self {
            files: i8::try_from(board.files).unwrap(),
            ranks: i8::try_from(board.ranks).unwrap(),
            squares: board.squares,
            at: [[None; 16]; 16],
        }
    }

    fn playable(&self, (file, rank): Spot) -> bool {
        match self.squares {
            Squares::All => true,
            Squares::Dark => (file + rank) % 2 == 0,
        }
    }

    fn on_board(&self, (file, rank): Spot) -> bool {
        (0..self.files).contains(&file) && (0..self.ranks).contains(&rank)
    }

    /// The nearest playable square along a direction.
    pub(crate) fn next(&self, spot: Spot, unit: Unit) -> Option<Spot> {
        let mut next = (spot.0 + unit.0, spot.1 + unit.1);
        while self.on_board(next) && !self.playable(next) {
            next = (next.0 + unit.0, next.1 + unit.1);
        }
        self.on_board(next).then_some(next)
    }

    /// Every playable square, by file, then rank.
    pub(crate) fn spots(&self) -> Vec<Spot> {
        let mut spots = Vec::new();
        for file in 0..self.files {
            for rank in 0..self.ranks {
                if self.playable((file, rank)) {
                    spots.push((file, rank));
                }
            }
        }
        spots
    }

    pub(crate) fn get(&self, (file, rank): Spot) -> Option<(Side, Kind)> {
        self.at[usize::try_from(file).unwrap()][usize::try_from(rank).unwrap()]
    }

    pub(crate) fn set(&mut self, (file, rank): Spot, cell: Option<(Side, Kind)>) {
        self.at[usize::try_from(file).unwrap()][usize::try_from(rank).unwrap()] = cell;
    }

    /// The pieces of one side, by file, then rank.
    pub(crate) fn pieces(&self, side: Side) -> Vec<(Spot, Kind)> {
        let own = |spot| match self.get(spot) {
            Some((owner, kind)) if owner == side => Some((spot, kind)),
            Some(_) | None => None,
        };
        self.spots().into_iter().filter_map(own).collect()
    }

    /// Whether a square is on the rank where this side's men are crowned.
    pub(crate) fn far(&self, spot: Spot, side: Side) -> bool {
        match side {
            Side::White => spot.1 == self.ranks - 1,
            Side::Black => spot.1 == 0,
        }
    }
}

/// The units of a set of directions, as one side sees them.
pub(crate) fn units(directions: Directions, side: Side) -> Vec<Unit> {
    let ahead = match side {
        Side::White => 1,
        Side::Black => -1,
    };
    let mut units = Vec::new();
    for direction in Direction::ALL {
        if directions.contains(direction) {
            match direction {
                Direction::Forward => units.push((0, ahead)),
                Direction::Sideways => units.extend([(1, 0), (-1, 0)]),
                Direction::Backward => units.push((0, -ahead)),
                Direction::DiagonalForward => units.extend([(1, ahead), (-1, ahead)]),
                Direction::DiagonalBackward => units.extend([(1, -ahead), (-1, -ahead)]),
            }
        }
    }
    units
}

/// The playable squares from the top left, as the `numbers` notation counts them from 1.
fn numbered(cells: &Cells) -> Vec<Spot> {
    let mut spots = cells.spots();
    spots.sort_by_key(|&(file, rank)| (-rank, file));
    spots
}

/// The name of a square.
pub(crate) fn square_name(board: &BoardRules, spot: Spot) -> String {
    match board.notation {
        Notation::Letters => {
            let letter = char::from(b'a' + u8::try_from(spot.0).unwrap());
            format!("{letter}{}", spot.1 + 1)
        }
        Notation::Numbers => {
            let place = numbered(&Cells::empty(board)).iter().position(|&other| other == spot);
            (place.unwrap() + 1).to_string()
        }
    }
}

/// The square of a name; a wrong name is a fault of the test's data.
pub(crate) fn read_square(board: &BoardRules, name: &str) -> Spot {
    let cells = Cells::empty(board);
    let spot = match board.notation {
        Notation::Letters => {
            let file = i8::try_from(name.as_bytes()[0]).unwrap() - 97;
            (file, name[1..].parse::<i8>().unwrap() - 1)
        }
        Notation::Numbers => numbered(&cells)[name.parse::<usize>().unwrap() - 1],
    };
    assert!(cells.on_board(spot) && cells.playable(spot), "no square {name}");
    spot
}

impl Position {
    /// The start of a game under these rules.
    pub(crate) fn start(rules: &Ruleset) -> Self {
        let mut cells = Cells::empty(&rules.board);
        match rules.setup.pieces {
            Setup::Ranks(ranks) => {
                for spot in cells.spots() {
                    if ranks >> spot.1 & 1 == 1 {
                        cells.set(spot, Some((Side::White, Kind::Man)));
                    } else if ranks >> (cells.ranks - 1 - spot.1) & 1 == 1 {
                        cells.set(spot, Some((Side::Black, Kind::Man)));
                    }
                }
            }
            // The border: the library numbers the squares of a placement in its own way.
            Setup::Position(placement) => {
                for square in rules.board.geometry().squares() {
                    let (file, rank) = rules.board.geometry().file_and_rank(square);
                    let spot = (file.cast_signed(), rank.cast_signed());
                    cells.set(spot, placement.at(square).map(|piece| (piece.side, piece.kind)));
                }
            }
        }
        Self { cells, side: rules.setup.first }
    }

    /// Reads `W:Wa2,Kd5:Ba7`; a wrong text is a fault of the test's data.
    pub(crate) fn read(board: &BoardRules, text: &str) -> Self {
        let side_of = |letter: &str| match letter {
            "W" => Side::White,
            "B" => Side::Black,
            other => panic!("no side {other} in {text}"),
        };
        let mut parts = text.split(':');
        let side = side_of(parts.next().unwrap());
        let mut cells = Cells::empty(board);
        for part in parts {
            let owner = side_of(&part[..1]);
            for name in part[1..].split(',').filter(|name| !name.is_empty()) {
                let (kind, name) = match name.strip_prefix('K') {
                    Some(name) => (Kind::King, name),
                    None => (Kind::Man, name),
                };
                let spot = read_square(board, name);
                assert!(cells.get(spot).is_none(), "two pieces on {name} in {text}");
                assert!(kind == Kind::King || !cells.far(spot, owner), "{name} in {text}");
                cells.set(spot, Some((owner, kind)));
            }
        }
        Self { cells, side }
    }

    /// Writes `W:Wa2,Kd5:Ba7`, the squares by file, then rank.
    pub(crate) fn text(&self, board: &BoardRules) -> String {
        let mut text = String::from(self.side.letter());
        for side in Side::ALL {
            let name = |(spot, kind)| {
                let crown = if kind == Kind::King { "K" } else { "" };
                format!("{crown}{}", square_name(board, spot))
            };
            let names: Vec<String> = self.cells.pieces(side).into_iter().map(name).collect();
            text.push(':');
            text.push(side.letter());
            text.push_str(&names.join(","));
        }
        text
    }
}
