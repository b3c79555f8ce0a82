//! The root of a search: depth after depth, until the budget is spent.

use super::{
    AlphaBeta, At, Budget, DEPTH_MAX, Found, PROVEN, Player, Rng, Root, Sampling, Searcher, WIN,
    Weights, Window,
};
use crate::board::SquareSet;
use crate::rules::{Choices, Game, Rules};

impl<S: SquareSet> AlphaBeta<S> {
    /// A searching player with this budget.
    ///
    /// # Panics
    /// When the weights have not the shape of the rules' board ([`Weights::fits`]).
    #[must_use]
    pub fn new(
        rules: &Rules<S>,
        budget: Budget,
        weights: &Weights,
        sampling: Sampling,
        seed: u64,
    ) -> Self {
        Self {
            budget,
            sampling,
            rng: Rng::from_seed(seed),
            looked_at: 0,
            searcher: Searcher::new(rules, weights, budget),
            roots: Vec::new(),
            root_turns: Vec::new(),
        }
    }

    /// Searches depth after depth until the budget is spent or all is decided, and tells what each
    /// depth found: the best `lines` (1 or more) first turns with their best play, the best first,
    /// or all first turns where there are fewer.
    ///
    /// Each line after the first is found by a search of the turns that are left, with its own
    /// whole window, so its score is as exact as the first one's. Of a depth that the budget cuts
    /// short those lines are told that were searched to the end, and of the first line the best
    /// turn so far, if its first turn was. Nothing is told of a game that has ended.
    pub fn analyse(
        &mut self,
        rules: &Rules<S>,
        game: &Game<S>,
        lines: usize,
        mut tell: impl FnMut(Vec<Found<S>>),
    ) {
        let mut choices = Choices::new();
        if game.choices(rules, &mut choices).is_none() {
            self.deepen(rules, game, &choices, lines, &mut tell);
        }
    }

    /// Positions visited by the last search.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.searcher.nodes
    }

    /// Searches, and leaves the root's turns sorted by what was found, the best first.
    fn deepen(
        &mut self,
        rules: &Rules<S>,
        game: &Game<S>,
        choices: &Choices<S>,
        lines: usize,
        tell: &mut impl FnMut(Vec<Found<S>>),
    ) {
        self.root_turns.clear();
        self.root_turns.extend((0..choices.len()).map(|index| choices.get(rules, index)));
        self.roots.clear();
        self.roots.extend((0..choices.len()).map(|index| Root { index, score: -WIN }));
        // Equal turns are equally likely to be tried, and so kept, first.
        self.rng.shuffle(&mut self.roots);
        let searcher = &mut self.searcher;
        searcher.line.restart(game);
        searcher.table.begin_search();
        searcher.memory.clear();
        searcher.nodes = 0;
        searcher.stopped = false;
        searcher.nodes_max = u64::MAX;
        let depth_max = match self.budget {
            Budget::Depth(depth) => depth.clamp(1, DEPTH_MAX),
            Budget::Nodes(_) => DEPTH_MAX,
        };
        let lines = lines.clamp(1, self.roots.len());
        for depth in 1..=depth_max {
            let found = self.search_lines(rules, depth, lines);
            let decided = |found: &Found<S>| found.score.abs() >= WIN - i32::from(depth);
            let done = self.searcher.stopped || found.iter().all(decided);
            if !found.is_empty() {
                tell(found);
            }
            if done {
                break;
            }
            if let Budget::Nodes(nodes) = self.budget {
                // The first depth is always finished, so that there is a turn to play.
                self.searcher.nodes_max = nodes;
            }
        }
        self.looked_at += self.searcher.nodes;
    }

    /// The best lines of one depth, the best first, each from the turns that those before it have
    /// left; fewer where the budget ends.
    fn search_lines(&mut self, rules: &Rules<S>, depth: u8, lines: usize) -> Vec<Found<S>> {
        let mut found: Vec<Found<S>> = Vec::new();
        while found.len() < lines && !self.searcher.stopped {
            let Some(next) = self.search_root(rules, depth, found.len()) else { break };
            // The best of some turns may be no second best of all.
            if found.is_empty() || !self.searcher.stopped {
                found.push(next);
            }
        }
        // A turn that was searched less deep when it was one of many may prove to be better than
        // those that were found before it.
        found.sort_by_key(|found| std::cmp::Reverse(found.score));
        self.roots[..found.len()].sort_by_key(|root| std::cmp::Reverse(root.score));
        found
    }

    /// One search of this depth from the root, without the first `skipped` turns; nothing when the
    /// budget ended before its first turn.
    fn search_root(&mut self, rules: &Rules<S>, depth: u8, skipped: usize) -> Option<Found<S>> {
        let placement = self.searcher.line.top().position.placement;
        let pieces = self.searcher.evaluation.pieces(&placement);
        let margin = self.sampling.margin();
        let mut best = -WIN - 1;
        let roots = &mut self.roots[skipped..];
        let mut done = 0;
        self.searcher.best_lines[0].clear();
        for (number, root) in roots.iter_mut().enumerate() {
            let turn = self.root_turns[root.index];
            let alpha = best.saturating_sub(margin).max(-WIN - 1);
            let window = Window { alpha, beta: WIN + 1 };
            let at = At { depth, window };
            let score = if margin > 0 {
                // Every turn that may be drawn needs its score.
                let whole = At { depth: depth - 1, window: window.turned() };
                self.searcher.after(rules, &turn, pieces, whole)
            } else {
                self.searcher.try_turn(rules, &turn, number, pieces, at)
            };
            if self.searcher.stopped {
                break;
            }
            root.score = score;
            done = number + 1;
            if score > best {
                best = score;
                self.searcher.extend_line(0, turn);
            }
        }
        if done == 0 {
            return None;
        }
        // Turns that were not reached keep their places behind; so do those that were not better.
        roots[..done].sort_by_key(|root| std::cmp::Reverse(root.score));
        Some(Found {
            depth,
            score: best,
            nodes: self.searcher.nodes,
            complete: !self.searcher.stopped,
            line: self.searcher.best_lines[0].clone(),
        })
    }
}

impl<S: SquareSet> Player<S> for AlphaBeta<S> {
    fn choose(&mut self, rules: &Rules<S>, game: &Game<S>, choices: &Choices<S>) -> usize {
        if choices.len() == 1 {
            return 0;
        }
        if let Some(index) = self.sampling.stray(&mut self.rng, choices.len()) {
            return index;
        }
        self.deepen(rules, game, choices, 1, &mut |_| {});
        let best = self.roots[0];
        if self.sampling.margin() == 0 || best.score.abs() >= PROVEN {
            return best.index;
        }
        let scores: Vec<i32> = self.roots.iter().map(|root| root.score).collect();
        self.roots[self.sampling.draw_by_score(&mut self.rng, &scores)].index
    }

    fn restart(&mut self, seed: u64) {
        self.rng = Rng::from_seed(seed);
        self.looked_at = 0;
    }

    fn looked_at(&self) -> u64 {
        self.looked_at
    }
}
