//! Takes the measure of one game by replaying it. Sums nothing over games.

use super::KingValue;
use super::numbers::{GameNumbers, Lead, Numbers, Quantity};
use crate::board::{Placement, Side, SquareSet};
use crate::record::{Record, ReplayError, Replayer, Seat, Step};
use crate::rules::{Outcome, Reason, Rules, Stop};

/// In thousandths: how far behind a winner must have been for a comeback, two men.
const COMEBACK: i64 = 2000;
const MAN: i64 = 1000;
/// Positions of one game, at most, from which the value of a king is fitted.
const LEADS: usize = 8;

/// Measures games of one ruleset; reused from game to game.
#[derive(Clone, Debug)]
pub struct Meter<'a, S> {
    replayer: Replayer<'a, S>,
    king_value: i64,
    /// White's material minus Black's after each number of plies, in thousandths of a man.
    balance: Vec<i64>,
    /// What the first side has more of before each turn.
    leads: Vec<Lead>,
}

impl<'a, S: SquareSet> Meter<'a, S> {
    /// A meter for games by these rules.
    #[must_use]
    pub fn new(rules: &'a Rules<S>, king_value: KingValue) -> Self {
        let king_value = i64::from(king_value.0);
        let replayer = Replayer::new(rules);
        Self { replayer, king_value, balance: Vec::new(), leads: Vec::new() }
    }

    /// The numbers of one game.
    ///
    /// # Errors
    /// When the record does not fit the rules.
    pub fn measure(&mut self, record: &Record) -> Result<GameNumbers, ReplayError> {
        let rules = self.replayer.rules();
        let mut game = GameNumbers::default();
        let (balance, king_value) = (&mut self.balance, self.king_value);
        let (leads, first) = (&mut self.leads, rules.ruleset().setup.first);
        balance.clear();
        leads.clear();
        self.replayer.replay(record, |step| {
            balance.push(material(&step.position.placement, king_value));
            leads.push(lead(&step.position.placement, first));
            add_turn(&mut game, rules, &step);
        })?;
        balance.push(material(&self.replayer.game().position().placement, king_value));
        let numbers = &mut game.numbers;
        numbers[Quantity::GamesWithCapture] = u64::from(game.first_capture.is_some());
        numbers[Quantity::GamesWithKing] = u64::from(game.first_king.is_some());
        add_end(numbers, record, first);
        let given_up = self.replayer.stop() == Some(Stop::TooManyTurns);
        numbers[Quantity::GivenUp] = u64::from(record.end.is_none() && given_up);
        add_tension(numbers, record.outcome(), balance);
        if record.end.is_some() {
            game.leads = sampled(leads);
        }
        Ok(game)
    }
}

fn add_turn<S: SquareSet>(game: &mut GameNumbers, rules: &Rules<S>, step: &Step<'_, S>) {
    let (turn, position, numbers) = (&step.turn, step.position, &mut game.numbers);
    let legal = step.choices.len();
    game.branching.push(legal);
    numbers[Quantity::Turns] += 1;
    numbers[Quantity::LegalTurns] += legal as u64;
    numbers[Quantity::ForcedTurns] += u64::from(legal == 1);
    numbers[Quantity::TurnsWithKing] += u64::from(position.placement.kings.any());
    if turn.captures() {
        let taken = turn.taken.len() as usize;
        numbers[Quantity::CapturingTurns] += 1;
        numbers[Quantity::Taken] += taken as u64;
        game.first_capture = game.first_capture.or(Some(step.ply));
        game.longest_chain = game.longest_chain.max(taken);
        game.chains.push(taken);
    } else {
        numbers[Quantity::QuietTurns] += 1;
        if turn.hops() {
            let way = rules.way(&position.placement, position.side, turn);
            let hops = way.as_ref().map_or(0, |way| way.hops.len());
            let rank = |square| rules.geometry().own_rank(square, position.side);
            numbers[Quantity::HoppingTurns] += 1;
            numbers[Quantity::Hops] += hops as u64;
            let mut from = turn.from;
            for &to in way.iter().flat_map(|way| &way.hops) {
                numbers[Quantity::HopsBackOrSideways] += u64::from(rank(to) <= rank(from));
                from = to;
            }
            numbers[Quantity::HopsNotForward] += u64::from(rank(turn.to) <= rank(turn.from));
        }
    }
    if turn.promotes() {
        game.first_king = game.first_king.or(Some(step.ply));
        numbers[Quantity::Promotions] += 1;
        numbers[Quantity::PromotionsInCapture] += u64::from(turn.captures());
        numbers[Quantity::PromotionsInHop] += u64::from(turn.hops() && !turn.captures());
    }
}

fn add_end(numbers: &mut Numbers, record: &Record, first: Side) {
    numbers[Quantity::Games] = 1;
    let Some(end) = record.end else {
        numbers[Quantity::Unfinished] = 1;
        return;
    };
    numbers[Quantity::Finished] = 1;
    numbers[Quantity::FinishedPlies] = record.plies.into();
    numbers[match end.reason {
        Reason::CapturedAll => Quantity::EndedByCapture,
        Reason::Blocked => Quantity::EndedByBlock,
        Reason::OnePieceEach => Quantity::EndedByOnePieceEach,
        Reason::KingBeatsMan => Quantity::EndedByKingAgainstMan,
        Reason::QuietTurns => Quantity::EndedByQuietTurns,
        Reason::Repetition => Quantity::EndedByRepetition,
        Reason::Adjudicated => Quantity::EndedByAdjudication,
    }] = 1;
    let seat = match record.key.white {
        Seat::First => Side::White,
        Seat::Second => Side::Black,
    };
    numbers[Quantity::FirstHalfPoints] = half_points(end.outcome, first);
    numbers[Quantity::SeatHalfPoints] = half_points(end.outcome, seat);
    numbers[match end.outcome.winner() {
        Some(side) if side == first => Quantity::FirstWins,
        Some(_) => Quantity::FirstLosses,
        None => Quantity::Draws,
    }] = 1;
    numbers[Quantity::Decisive] = u64::from(end.outcome.winner().is_some());
}

fn half_points(outcome: Outcome, side: Side) -> u64 {
    match outcome.winner() {
        Some(winner) => 2 * u64::from(winner == side),
        None => 1,
    }
}

/// What the material balance before each turn and at the end says.
fn add_tension(numbers: &mut Numbers, outcome: Option<Outcome>, balance: &[i64]) {
    let mut leader = 0;
    for sign in balance.iter().map(|balance| balance.signum()).filter(|&sign| sign != 0) {
        numbers[Quantity::LeadChanges] += u64::from(leader == -sign);
        leader = sign;
    }
    let Some(winner) = outcome.and_then(Outcome::winner) else { return };
    let ahead = |balance: i64| match winner {
        Side::White => balance,
        Side::Black => -balance,
    };
    let behind = balance.iter().any(|&balance| ahead(balance) <= -COMEBACK);
    numbers[Quantity::Comebacks] = u64::from(behind);
    let last = balance.iter().rposition(|&balance| ahead(balance) <= 0).unwrap_or(0);
    if let Some(thousandths) = (last * 1000).checked_div(balance.len() - 1) {
        numbers[Quantity::DecisionThousandths] = thousandths as u64;
        numbers[Quantity::DecisiveWithTurns] = 1;
    }
}

/// What one side has more of than the other.
fn lead<S: SquareSet>(placement: &Placement<S>, of: Side) -> Lead {
    let more = |count: &dyn Fn(Side) -> u32| {
        let counts = [of, of.other()].map(|side| i16::try_from(count(side)));
        let [own, others] = counts.map(|count| count.expect("no board has so many squares"));
        own - others
    };
    Lead {
        men: more(&|side| placement.men(side).len()),
        kings: more(&|side| placement.kings(side).len()),
    }
}

/// [`LEADS`] of them, evenly spaced over the game; all of a shorter game.
fn sampled(leads: &[Lead]) -> Vec<Lead> {
    let step = leads.len().div_ceil(LEADS).max(1);
    leads.iter().skip(step / 2).step_by(step).copied().collect()
}

/// White's material minus Black's, in thousandths of a man.
fn material<S: SquareSet>(placement: &Placement<S>, king_value: i64) -> i64 {
    let of = |side| {
        let (men, kings) = (placement.men(side).len(), placement.kings(side).len());
        i64::from(men) * MAN + i64::from(kings) * king_value
    };
    of(Side::White) - of(Side::Black)
}
