#!/usr/bin/env python3
"""Turkish draughts against players that are not ours, over the pipes of `keny play`.

The rules on their side are those of kish (Python bindings), the players two general-purpose
searches: Negamax with alpha-beta (easyAI), which looks at material alone, and UCT with random
playouts (mctspy). Each opening of random turns is played twice, sides swapped; no opening comes
twice. A turn that one program finds illegal for the other ends the run: then the rules differ.

    python3 -m venv judge
    judge/bin/pip install kish==1.1.7 easyAI==2.0.12 mctspy==0.1.1 numpy==2.4.6
    cargo build --release
    judge/bin/python tests/outside/turkish.py --page reports/ladder/outside.md

Without `--match` that plays the matches of the page, for about a quarter of an hour on two idle cores. One match:

    judge/bin/python tests/outside/turkish.py --match alphabeta:nodes=1000 negamax:4 50
"""

import argparse
import math
import random
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from pathlib import Path

import kish
import numpy
from easyAI import AI_Player, Negamax, TwoPlayerGame
from mctspy.games.common import TwoPlayersAbstractGameState
from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode
from mctspy.tree.search import MonteCarloTreeSearch

ROOT = Path(__file__).parents[2]
OPENING_PLIES = 6
PLIES_MAX = 400
PLAYOUT_PLIES_MAX = 300
OPENINGS_FIRST_SEED = 1
Z95 = 1.959963984540054
# Ours, theirs, pairs.
MATCHES = [
    ("alphabeta:nodes=1000", "negamax:2", 100),
    ("alphabeta:nodes=1000", "negamax:4", 100),
    ("alphabeta:nodes=1000", "negamax:6", 100),
    ("alphabeta:nodes=1000", "mctspy:400", 20),
]


def text_of(action):
    """An action as `keny play` reads it."""
    squares = [str(square).lower() for square in action.path()]
    return ("x" if action.is_capture() else "-").join(squares)


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
    """The game as easyAI sees it; a move is its place in the list of legal actions."""

    def __init__(self, board, current_player=1):
        self.board = board
        self.players = [None, None]
        self.current_player = current_player
        self.listed = None

    def actions(self):
        if self.listed is None:
            self.listed = self.board.actions()
        return self.listed

    def copy(self):
        return Dama(self.board, self.current_player)  # boards never change

    def possible_moves(self):
        return list(range(len(self.actions())))

    def make_move(self, move):
        self.board = self.board.apply(self.actions()[move])
        self.listed = None

    def is_over(self):
        return self.board.status().is_over()

    def scoring(self):
        status = self.board.status()
        if status.is_over():
            return -1000 if status.is_won() else 0
        return material(self.board)


class Tree(TwoPlayersAbstractGameState):
    """The game as mctspy sees it; a long playout counts as a draw."""

    def __init__(self, board, plies=0, last=None):
        self.board, self.plies, self.last = board, plies, last
        self.next_to_move = 1 if board.turn == kish.Team.White else -1

    def get_legal_actions(self):
        return self.board.actions()

    def move(self, action):
        return Tree(self.board.apply(action), self.plies + 1, action)

    def is_game_over(self):
        return self.plies >= PLAYOUT_PLIES_MAX or self.board.status().is_over()

    @property
    def game_result(self):
        status = self.board.status()
        if not status.is_won():
            return 0
        return 1 if status.winner() == kish.Team.White else -1


def chooser(text):
    """The outside player of a text: `negamax:DEPTH` or `mctspy:PLAYOUTS`."""
    name, _, budget = text.partition(":")
    if name not in ("negamax", "mctspy") or not budget.isdecimal() or int(budget) < 1:
        sys.exit(f"`{text}` is no outside player: take negamax:DEPTH or mctspy:PLAYOUTS")
    budget = int(budget)
    if name == "negamax":
        search = Negamax(budget)
        return lambda board: board.actions()[AI_Player(search).ask_move(Dama(board))]

    def searched(board):
        if len(board.actions()) == 1:
            return board.actions()[0]
        root = TwoPlayersGameMonteCarloTreeSearchNode(Tree(board))
        return MonteCarloTreeSearch(root).best_action(budget).state.last

    return searched


def position(board):
    """The position text of a board."""
    sides = {}
    kings = {str(square).lower() for square in board.kings()}
    for letter, pieces in (("W", board.white_pieces()), ("B", board.black_pieces())):
        names = sorted(str(square).lower() for square in pieces)
        sides[letter] = ",".join("K" + name if name in kings else name for name in names)
    turn = "W" if board.turn == kish.Team.White else "B"
    return f"{turn}:W{sides['W']}:B{sides['B']}"


def openings(count):
    """Different boards after random turns."""
    dice, boards = random.Random(OPENINGS_FIRST_SEED), {}
    while len(boards) < count:
        board = kish.Board()
        for _ in range(OPENING_PLIES):
            board = board.apply(dice.choice(board.actions()))
        if not board.status().is_over():
            boards.setdefault(position(board), board)
    return list(boards.values())


class Opponent:
    """Our player at the other end of a pipe; the outside player sits in the human's place."""

    def __init__(self, keny, player, board, outside_white, seed):
        sides = ["human", player] if outside_white else [player, "human"]
        self.process = subprocess.Popen(
            [keny, "play", "turkish", "--ascii", "--seed", str(seed),
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

    def leave(self):
        self.process.kill()
        self.process.communicate()


def play(keny, player, choose, board, number, outside_white):
    """Our points in one game, nothing for an unfinished one, and the turns."""
    opponent = Opponent(keny, player, board, outside_white, number)
    outside = kish.Team.White if outside_white else kish.Team.Black
    played = []
    while True:
        if board.turn == outside and not board.status().is_over():
            action = choose(board)
            played.append(text_of(action))
            opponent.type(played[-1])
            board = board.apply(action)
        kind, text = opponent.heard()
        if kind == "end":
            opponent.leave()
            if text == "no result":
                return None, played
            if "draw" in text:
                return 0.5, played
            return 0.0 if (text == "white wins") == outside_white else 1.0, played
        if kind == "refused":
            sys.exit(f"opening {number}, {position(board)}, {' '.join(played)}: {text}")
        action = named(board, text)
        if action is None:
            legal = ", ".join(map(text_of, board.actions()))
            sys.exit(f"kish knows no `{text}` in {position(board)}: {legal}")
        played.append(text)
        board = board.apply(action)


def pair(work):
    """Both games of an opening."""
    keny, player, outside, number, board = work
    numpy.random.seed(number)
    choose = chooser(outside)
    board = kish.Board.from_bitboards(*board)
    return [play(keny, player, choose, board, number, white) for white in (True, False)]


def interval(pairs):
    """Mean score of a pair's games and its 95 % interval: normal over pairs; Wilson's if all are alike."""
    n, mean = len(pairs), sum(pairs) / len(pairs)
    error = math.sqrt(sum((score - mean) ** 2 for score in pairs)) / n
    if error > 0:
        return mean, max(0.0, mean - Z95 * error), min(1.0, mean + Z95 * error)
    middle, width = mean + Z95 ** 2 / (2 * n), Z95 * math.sqrt(mean * (1 - mean) / n + (Z95 / (2 * n)) ** 2)
    return mean, (middle - width) / (1 + Z95 ** 2 / n), (middle + width) / (1 + Z95 ** 2 / n)


def row(player, outside, played):
    """One row of the table."""
    games = [points for both in played for points, _ in both]
    pairs = [(both[0][0] + both[1][0]) / 2 for both in played if None not in (both[0][0], both[1][0])]
    wins, draws, losses = (games.count(points) for points in (1.0, 0.5, 0.0))
    distinct = len({tuple(tuple(turns) for _, turns in both) for both in played})
    score = "n/a"
    if pairs:
        value, low, high = interval(pairs)
        score = f"{100 * value:.1f} \\[{100 * low:.1f}, {100 * high:.1f}]"
    fifths = [str(pairs.count(points)) for points in (0.0, 0.25, 0.5, 0.75, 1.0)]
    cells = [player, outside, len(pairs), score, wins, draws, losses, games.count(None), *fifths, distinct]
    return "| " + " | ".join(map(str, cells)) + " |"


# What is written anew stands between these lines of the page.
BEGIN, END = "<!-- played -->\n\n", "\n<!-- end of what was played -->\n"
HEAD = """\
| ours | theirs | pairs | score % | won | drawn | lost | unfinished | 0 | ½ | 1 | 1½ | 2 | distinct |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""


def caption():
    return (
        "Turkish draughts, our players against theirs: score of ours in %, games won, drawn, lost and unfinished\n"
        f"(cut at {PLIES_MAX} plies), and pairs by the points of ours. Unit: pair of finished games from one opening of\n"
        f"{OPENING_PLIES} random plies, sides swapped; openings differ. 95 % intervals in brackets (normal over pairs; Wilson's\n"
        "where all pairs are alike). Distinct: pairs whose turns differ from those of every other.\n"
    )


def versions(keny):
    ours = subprocess.run([keny, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    theirs = [f"{name} {version(name)}" for name in ("kish", "easyAI", "mctspy", "numpy")]
    return f"Versions: {ours}; {', '.join(theirs)}; Python {sys.version.split()[0]}.\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--match", nargs=3, action="append", metavar=("OURS", "THEIRS", "PAIRS"))
    parser.add_argument("--keny", type=Path, default=ROOT / "target/release/keny", help="our program")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--page", type=Path, help="a page whose table is written anew")
    args = parser.parse_args()
    matches = [(ours, theirs, int(pairs)) for ours, theirs, pairs in args.match or MATCHES]
    for _, theirs, _ in matches:
        chooser(theirs)
    boards = [board.bitboards() for board in openings(max(pairs for _, _, pairs in matches))]
    print(HEAD, end="", flush=True)
    table = HEAD
    with ProcessPoolExecutor(args.processes) as pool:
        for ours, theirs, count in matches:
            work = [
                (args.keny, ours, theirs, number, (int(turn), white, black, kings))
                for number, (white, black, kings, turn) in enumerate(boards[:count])
            ]
            line = row(ours, theirs, list(pool.map(pair, work)))
            print(line, flush=True)
            table += line + "\n"
    end = "\n" + caption() + "\n" + versions(args.keny)
    print(end, end="")
    if args.page:
        page = args.page.read_text()
        before, rest = page.split(BEGIN, 1)
        after = rest.split(END, 1)[1]
        args.page.write_text(f"{before}{BEGIN}{table}{end}{END}{after}")


if __name__ == "__main__":
    main()
