//! The player that samples: Monte-Carlo tree search with confidence bounds (UCT; Kocsis and
//! Szepesvári 2006) that marks proven wins, losses and draws (Winands, Björnsson and Saito 2008).
//!
//! A node of the tree stands for one sequence of turns, so its past is known and every ending of
//! the rules is seen, in the tree as in the playouts. Never reads the clock.

use super::arithmetic::{ln, logistic};
use super::evaluation::Evaluation;
use super::line::Line;
use super::ordering::gain;
use super::sampling::Sampling;
use super::{Player, Rng, Weights};
use crate::board::{Side, SquareSet};
use crate::rules::{Choices, Game, Outcome, Rules, Scratch, Turn};

/// How much a turn that was tried seldom is favoured.
const EXPLORATION: f64 = 0.2;

/// A position below the root that has more turns is judged as it stands: its children would take
/// the memory of a thousand others.
const CHILDREN_MAX: usize = 1_000;

/// Turns of a playout after which the static value decides how it counts.
const PLAYOUT_PLIES: usize = 10;

/// A sampling player.
#[derive(Clone, Debug)]
pub struct Mcts<S> {
    playouts: u32,
    sampling: Sampling,
    rng: Rng,
    /// Playouts since the last restart.
    looked_at: u64,
    evaluation: Evaluation<S>,
    /// [`Weights::odds`], kept where playouts still tell good from bad.
    odds: f64,
    line: Line<S>,
    nodes: Vec<Node<S>>,
    turns: Vec<Turn<S>>,
    scratch: Scratch<S>,
    choices: Choices<S>,
    path: Vec<usize>,
}

/// A turn in the tree; its numbers are from the view of the side that makes it.
#[derive(Clone, Debug)]
struct Node<S> {
    turn: Option<Turn<S>>,
    visits: u32,
    /// The sum of results: 1 for a win, 0.5 for a draw.
    total: f64,
    proven: Option<Proven>,
    children: std::ops::Range<usize>,
}

/// What is certain about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Proven {
    Loss,
    Draw,
    Win,
}

impl Proven {
    const fn turned(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    const fn value(self) -> f64 {
        match self {
            Self::Loss => 0.0,
            Self::Draw => 0.5,
            Self::Win => 1.0,
        }
    }

    /// An outcome from the view of one side.
    fn of(outcome: Outcome, side: Side) -> Self {
        match outcome.winner() {
            None => Self::Draw,
            Some(winner) if winner == side => Self::Win,
            Some(_) => Self::Loss,
        }
    }
}

impl<S: SquareSet> Node<S> {
    const fn new(turn: Option<Turn<S>>) -> Self {
        Self { turn, visits: 0, total: 0.0, proven: None, children: 0..0 }
    }
}

impl<S: SquareSet> Mcts<S> {
    /// A sampling player that spends this many playouts (1 or more) on a turn.
    ///
    /// # Panics
    /// When the weights have not the shape of the rules' board ([`Weights::fits`]).
    #[must_use]
    pub fn new(
        rules: &Rules<S>,
        playouts: u32,
        weights: &Weights,
        sampling: Sampling,
        seed: u64,
    ) -> Self {
        Self {
            playouts,
            sampling,
            rng: Rng::from_seed(seed),
            looked_at: 0,
            evaluation: Evaluation::new(rules, weights),
            odds: f64::from(weights.odds.clamp(50, 400)),
            line: Line::new(rules),
            nodes: Vec::new(),
            turns: Vec::new(),
            scratch: Scratch::default(),
            choices: Choices::new(),
            path: Vec::new(),
        }
    }

    /// One walk down the tree, a playout from its end, and the result carried back up.
    fn sample(&mut self, rules: &Rules<S>) {
        let root_side = self.line.top().position.side;
        self.path.clear();
        self.path.push(0);
        let mut node = 0;
        let value = loop {
            if let Some(proven) = self.nodes[node].proven {
                break proven.value();
            }
            if self.nodes[node].children.is_empty()
                && let Some(value) = self.grow(rules, node)
            {
                break value;
            }
            node = self.select(node);
            let turn = self.nodes[node].turn.expect("only the root has no turn");
            self.line.push(rules, &turn);
            self.path.push(node);
        };
        while self.line.ply() > 0 {
            self.line.pop();
        }
        debug_assert_eq!(root_side, self.line.top().position.side, "the walk is taken back");
        self.carry_up(value);
    }

    /// Handles a node without children: at its first visit a playout (or the ending) gives its
    /// value; at the next it gets its children, and the walk goes on.
    fn grow(&mut self, rules: &Rules<S>, node: usize) -> Option<f64> {
        let position = self.line.top().position;
        let (placement, side) = (position.placement, position.side);
        let mover = side.other();
        if self.nodes[node].visits == 0 && node > 0 {
            rules.choices(&placement, side, &mut self.choices);
            if let Some(ending) = self.line.judge(rules, self.choices.has_turn()) {
                let proven = Proven::of(ending.outcome, mover);
                self.nodes[node].proven = Some(proven);
                return Some(proven.value());
            }
            return Some(self.play_out(rules, mover));
        }
        let listed = rules.list_turns(&placement, side, &mut self.scratch, &mut self.turns);
        if listed.is_err() || (node > 0 && self.turns.len() > CHILDREN_MAX) {
            return Some(self.guess(mover));
        }
        let first = self.nodes.len();
        self.nodes.extend(self.turns.iter().map(|turn| Node::new(Some(*turn))));
        let children = first..self.nodes.len();
        // Equal turns have equal chances to be tried first, after captures by what they take.
        self.rng.shuffle(&mut self.nodes[children.clone()]);
        self.nodes[children.clone()].sort_by_key(|child| {
            let turn = child.turn.as_ref().expect("a child has a turn");
            std::cmp::Reverse(if turn.captures() { gain(turn, &placement) } else { 0 })
        });
        self.nodes[node].children = children;
        None
    }

    /// The child of a node, not proven itself, whose result could be the best.
    fn select(&self, node: usize) -> usize {
        let parent = &self.nodes[node];
        let log_visits = ln(f64::from(parent.visits.max(1)));
        let mut best = (f64::NEG_INFINITY, parent.children.start);
        for index in parent.children.clone() {
            let child = &self.nodes[index];
            if child.proven.is_some() {
                continue;
            }
            if child.visits == 0 {
                return index;
            }
            let visits = f64::from(child.visits);
            let hope = child.total / visits + EXPLORATION * (log_visits / visits).sqrt();
            if hope > best.0 {
                best = (hope, index);
            }
        }
        best.1
    }

    /// Adds a result (from the view of the side that moved into the last node) to every node of
    /// the path, and what it proves.
    fn carry_up(&mut self, value: f64) {
        let mut value = value;
        for place in (0..self.path.len()).rev() {
            let node = self.path[place];
            if self.nodes[node].proven.is_none() && !self.nodes[node].children.is_empty() {
                self.nodes[node].proven = self.proof(node);
                if let Some(proven) = self.nodes[node].proven {
                    value = proven.value();
                }
            }
            self.nodes[node].visits += 1;
            self.nodes[node].total += value;
            value = 1.0 - value;
        }
    }

    /// What the children of a node prove about it: one that wins is enough, else all must be known.
    fn proof(&self, node: usize) -> Option<Proven> {
        let mut best = Some(Proven::Loss);
        for child in &self.nodes[self.nodes[node].children.clone()] {
            match child.proven {
                Some(Proven::Win) => return Some(Proven::Loss),
                Some(proven) => best = best.map(|so_far| so_far.max(proven)),
                None => best = None,
            }
            // An unknown child leaves only a win to look for.
        }
        best.map(Proven::turned)
    }

    /// The result of a playout from the top position, from the view of `side`.
    ///
    /// The turns are in `self.choices` when it begins.
    fn play_out(&mut self, rules: &Rules<S>, side: Side) -> f64 {
        for _ in 0..PLAYOUT_PLIES {
            if self.choices.too_many() {
                break;
            }
            let turn = self.playout_turn(rules);
            self.line.push(rules, &turn);
            let position = &self.line.top().position;
            rules.choices(&position.placement, position.side, &mut self.choices);
            if let Some(ending) = self.line.judge(rules, self.choices.has_turn()) {
                return Proven::of(ending.outcome, side).value();
            }
        }
        self.guess(side)
    }

    /// What the top position is worth to `side` without a playout.
    fn guess(&self, side: Side) -> f64 {
        let position = &self.line.top().position;
        let value = self.evaluation.value(&position.placement, position.side);
        let for_mover = logistic(f64::from(value) / self.odds);
        if position.side == side { for_mover } else { 1.0 - for_mover }
    }

    /// A turn of a playout: of captures one that takes the most; else any turn, drawn anew once if
    /// it lets the other side capture.
    fn playout_turn(&mut self, rules: &Rules<S>) -> Turn<S> {
        let position = self.line.top().position;
        let choices = &self.choices;
        let mut best: Option<(i32, Turn<S>)> = None;
        let mut equals = 0;
        for index in 0..choices.len() {
            let turn = choices.get(rules, index);
            if !turn.captures() {
                break;
            }
            let taken = gain(&turn, &position.placement);
            if best.is_none_or(|(most, _)| taken > most) {
                best = Some((taken, turn));
                equals = 1;
            } else if best.is_some_and(|(most, _)| taken == most) {
                equals += 1;
                if self.rng.below(equals) == 0 {
                    best = Some((taken, turn));
                }
            }
        }
        if let Some((_, turn)) = best {
            return turn;
        }
        let turn = choices.get(rules, self.rng.below(choices.len()));
        let after = position.placement.after(position.side, &turn);
        if rules.has_capture(&after, position.side.other()) {
            return choices.get(rules, self.rng.below(choices.len()));
        }
        turn
    }
}

impl<S: SquareSet> Player<S> for Mcts<S> {
    fn choose(&mut self, rules: &Rules<S>, game: &Game<S>, choices: &Choices<S>) -> usize {
        if choices.len() == 1 {
            return 0;
        }
        if let Some(index) = self.sampling.stray(&mut self.rng, choices.len()) {
            return index;
        }
        self.line.restart(game);
        self.nodes.clear();
        self.nodes.push(Node::new(None));
        for _ in 0..self.playouts.max(1) {
            self.sample(rules);
            self.looked_at += 1;
            if self.nodes[0].proven.is_some() {
                break;
            }
        }
        let children = &self.nodes[self.nodes[0].children.clone()];
        let index_of = |turn: &Turn<S>| {
            (0..choices.len())
                .find(|&index| choices.get(rules, index).same_as(turn))
                .expect("the root's children are the choices")
        };
        let turn_of = |child: &Node<S>| child.turn.expect("a child has a turn");
        if let Some(win) = children.iter().find(|child| child.proven == Some(Proven::Win)) {
            return index_of(&turn_of(win));
        }
        let hopeful = |child: &&Node<S>| child.proven != Some(Proven::Loss);
        let mut worthy: Vec<&Node<S>> = children.iter().filter(hopeful).collect();
        if self.nodes[0].proven == Some(Proven::Draw) {
            worthy.retain(|child| child.proven == Some(Proven::Draw));
        }
        if worthy.is_empty() {
            worthy.extend(children);
        }
        let visits: Vec<u32> = worthy.iter().map(|child| child.visits).collect();
        let chosen = self.sampling.draw_by_visits(&mut self.rng, &visits);
        index_of(&turn_of(worthy[chosen]))
    }

    fn restart(&mut self, seed: u64) {
        self.rng = Rng::from_seed(seed);
        self.looked_at = 0;
    }

    fn looked_at(&self) -> u64 {
        self.looked_at
    }
}
