#!/usr/bin/env python3
"""Turkish draughts against players that are not ours, over the pipes of `keny play`.

The rules on their side are those of kish (Python bindings), the players two general-purpose
searches: Negamax with alpha-beta and a transposition table (easyAI), which looks at material alone,
and UCT with random playouts (mcts). Each opening of random turns is played twice, sides swapped.
A turn that one program finds illegal for the other ends the run: then the rules differ.

    python3 -m venv judge && judge/bin/pip install kish==1.1.7 easyAI==2.0.12 mcts==1.0.4
    cargo build --release
    judge/bin/python tests/outside/turkish.py --pairs 50 --player alphabeta:nodes=1000 negamax:4
"""

import argparse
import math
import random
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import kish
from easyAI import AI_Player, Negamax, TwoPlayerGame
from mcts import mcts

ROOT = Path(__file__).parents[2]
OPENING_PLIES = 6
PLIES_MAX = 400


def turns(board):
    """Legal turns by the text that `keny play` reads."""
    texts = {}
    for action in board.actions():
        squares = [str(square).lower() for square in action.path()]
        texts[("x" if action.is_capture() else "-").join(squares)] = action
    return texts


def named(board, text):
    """The action that a text of `keny play` names: same start, same end, same pieces taken.

    A flying king may have several squares to land on between two captures; texts name one of them.
    """
    landings = re.split("[-x]", text)
    enemies = board.black_pieces() if board.turn == kish.Team.White else board.white_pieces()
    enemies = {str(square).lower() for square in enemies}
    taken = set()
    for start, end in zip(landings, landings[1:]):
        files, ranks = sorted((start[0], end[0])), sorted((int(start[1]), int(end[1])))
        taken |= {
            square for square in enemies
            if files[0] <= square[0] <= files[1] and ranks[0] <= int(square[1]) <= ranks[1]
        }
    for action in board.actions():
        ends = (str(action.source()).lower(), str(action.destination()).lower())
        captured = {str(square).lower() for square in action.captured_pieces()}
        if ends == (landings[0], landings[-1]) and captured == taken:
            return action
    return None


def material(board):
    """Men, with a king for three of them, from the view of the side to move."""
    kings = board.kings_bitboard()

    def worth(pieces):
        return pieces.bit_count() + 2 * (pieces & kings).bit_count()

    value = worth(board.white_bitboard()) - worth(board.black_bitboard())
    return value if board.turn == kish.Team.White else -value


class Dama(TwoPlayerGame):
    """The game as easyAI sees it."""

    def __init__(self, board):
        self.board = board
        self.players = [None, None]
        self.current_player = 1

    def copy(self):
        copied = Dama(self.board)  # boards never change
        copied.current_player = self.current_player
        return copied

    def possible_moves(self):
        return list(turns(self.board))

    def make_move(self, move):
        self.board = self.board.apply(turns(self.board)[move])

    def is_over(self):
        return self.board.status().is_over()

    def scoring(self):
        status = self.board.status()
        if status.is_over():
            return -1000 if status.is_won() else 0
        return material(self.board)

    def ttentry(self):
        board = self.board
        return (str(board.turn), str(board.bitboards()))


class Tree:
    """The game as mcts sees it."""

    def __init__(self, board):
        self.board = board

    def getCurrentPlayer(self):
        return 1 if self.board.turn == kish.Team.White else -1

    def getPossibleActions(self):
        return list(turns(self.board))

    def takeAction(self, action):
        return Tree(self.board.apply(turns(self.board)[action]))

    def isTerminal(self):
        return self.board.status().is_over()

    def getReward(self):
        status = self.board.status()
        if not status.is_won():
            return 0
        return 1 if status.winner() == kish.Team.White else -1


def chooser(text):
    """The outside player of a text: `negamax:DEPTH` or `mcts:PLAYOUTS`."""
    name, budget = text.split(":")
    if name == "negamax":
        search = Negamax(int(budget))
        return lambda board: AI_Player(search).ask_move(Dama(board))
    if name == "mcts":
        return lambda board: mcts(iterationLimit=int(budget)).search(initialState=Tree(board))
    sys.exit(f"`{text}` is no outside player: take negamax:DEPTH or mcts:PLAYOUTS")


def position(board):
    """The position text of a board."""
    sides = {}
    kings = {str(square).lower() for square in board.kings()}
    for letter, pieces in (("W", board.white_pieces()), ("B", board.black_pieces())):
        names = sorted(str(square).lower() for square in pieces)
        sides[letter] = ",".join("K" + name if name in kings else name for name in names)
    turn = "W" if board.turn == kish.Team.White else "B"
    return f"{turn}:W{sides['W']}:B{sides['B']}"


def opening(seed):
    """A board after random turns that no side has won."""
    dice = random.Random(seed)
    board = kish.Board()
    for _ in range(OPENING_PLIES):
        board = board.apply(dice.choice(board.actions()))
    return board


class Opponent:
    """Our player at the other end of a pipe; the outside player sits in the human's place."""

    def __init__(self, player, board, outside_white, seed):
        sides = ["human", player] if outside_white else [player, "human"]
        self.process = subprocess.Popen(
            [ROOT / "target/release/keny", "play", "turkish", "--ascii", "--seed", str(seed),
             "--plies-max", str(PLIES_MAX), "--position", position(board),
             "--white", sides[0], "--black", sides[1]],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1,
        )

    def type(self, turn):
        try:
            self.process.stdin.write(turn + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the game ended by a rule that kish does not count; what is heard next says so

    def heard(self):
        """The next thing said that matters: a turn, the end, or a refusal."""
        for line in self.process.stdout:
            line = re.sub(r"^(white|black)> ", "", line.strip())
            if found := re.match(r"(white|black) plays (\S+)$", line):
                return "turn", found.group(2)
            if found := re.match(r"(white wins|black wins|a draw|draw|no result)\b.*\((.*)\)$", line):
                return "end", found.group(1)
            if "is not legal" in line or "error" in line or "could mean" in line:
                return "refused", line
        return "refused", "the program ended without a result"


def play(player, choose, number, outside_white):
    """The outside player's points in one game; nothing for an unfinished one."""
    board = opening(number)
    opponent = Opponent(player, board, outside_white, number)
    outside = kish.Team.White if outside_white else kish.Team.Black
    typed = False
    while True:
        if board.turn == outside and not board.status().is_over():
            turn = choose(board)
            opponent.type(turn)
            board = board.apply(turns(board)[turn])
            typed = True
        kind, text = opponent.heard()
        if kind == "end":
            opponent.process.kill()
            if text == "no result":
                return None
            if "draw" in text:
                return 0.5
            return 1.0 if (text == "white wins") == outside_white else 0.0
        if kind == "refused":
            sys.exit(f"opening {number}, {position(board)}, typed {typed}: {text}")
        action = named(board, text)
        if action is None:
            sys.exit(f"kish knows no `{text}` in {position(board)}: {', '.join(turns(board))}")
        board = board.apply(action)


def pair(work):
    """The outside player's points in both games of an opening."""
    player, outside, number = work
    random.seed(number)
    choose = chooser(outside)
    return [play(player, choose, number, white) for white in (True, False)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("outside", help="negamax:DEPTH or mcts:PLAYOUTS")
    parser.add_argument("--player", default="alphabeta:nodes=1000", help="ours")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    chooser(args.outside)
    with ProcessPoolExecutor(args.processes) as pool:
        work = [(args.player, args.outside, number) for number in range(args.pairs)]
        pairs = list(pool.map(pair, work))
    games = [points for both in pairs for points in both]
    unfinished = games.count(None)
    whole = [2 - sum(both) for both in pairs if None not in both]
    score = sum(whole) / (2 * len(whole))
    spread = math.sqrt(sum((w / 2 - score) ** 2 for w in whole) / max(1, len(whole) - 1) / len(whole))
    wins, draws, losses = (games.count(points) for points in (0.0, 0.5, 1.0))
    print(
        f"{args.player} against {args.outside}: score {100 * score:.1f} % "
        f"(standard error {100 * spread:.1f}) in {len(whole)} pairs; "
        f"{wins} won, {draws} drawn, {losses} lost, {unfinished} unfinished"
    )


if __name__ == "__main__":
    main()
