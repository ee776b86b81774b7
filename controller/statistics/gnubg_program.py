"""The program that runs inside GNU Backgammon: it analyses `match.sgf` and writes `analysis.json`.

Equities are those of GNU Backgammon's own statistics: points, for each point of the cube. In a match they are scaled so that
the present cube counts 1 when won and -1 when lost (EMG). X is GNU Backgammon's player 0, our White.
"""

MATCH_FILE, ANALYSIS_FILE = "match.sgf", "analysis.json"

PROGRAM = """\
import gnubg
import json

for line in ("set confirm new off", "set display off", "load match match.sgf", "analyse match"):
    gnubg.command(line)
found = gnubg.match(analysis=1, boards=1, statistics=1, verbose=0)
length = found["match-info"]["match-length"]


def written(steps, board):
    return gnubg.movetupletostring(tuple(tuple(step) for step in steps), gnubg.positionfromid(board))


def equities(analysis, cube, owner, mover, game):
    double = [analysis.get("nd-cubeful-eq"), analysis.get("dt-cubeful-eq")]
    if None in double:
        return None
    if not length:
        return double
    score = (game["info"]["score-X"], game["info"]["score-O"])
    info = gnubg.cubeinfo(cube, owner, mover, length, score, int(bool(game["info"].get("crawford"))))
    return [gnubg.mwc2eq(one, info) for one in double]


def records(game):
    cube, owner, board, double = 1, -1, "", None
    for one in game["game"]:
        mover, analysis = "XO".find(one.get("player") or "?"), one.get("analysis") or {}
        if mover < 0 or one["action"] not in ("move", "double", "take", "drop"):
            continue
        if one["action"] in ("move", "double"):
            board, double = one["board"], equities(analysis, cube, owner, mover, game)
        yield {"player": mover, "action": one["action"], "cube": cube, "owner": owner, "board": board,
               "double": double, "dice": list(one.get("dice") or ()), **play(analysis, board)}
        if one["action"] == "take":
            cube, owner = 2 * cube, mover


def play(analysis, board):
    plays, made = analysis.get("moves") or (), analysis.get("imove")
    if made is None or not 0 <= made < len(plays):
        return {"loss": 0.0, "made": "", "best": ""}
    loss = plays[0]["score"] - plays[made]["score"]
    return {"loss": loss, "made": written(plays[made]["move"], board), "best": written(plays[0]["move"], board)}


def errors(stats):
    moves, cube = stats["moves"], stats["cube"]
    kinds = ("missed-double-below-cp", "missed-double-above-cp", "wrong-double-below-dp", "wrong-double-above-tg",
             "wrong-take", "wrong-drop")
    lost = sum(cube["err-" + kind + "-skill"] for kind in kinds)
    counts = moves["unforced-moves"], moves["error-skill"], cube["close-cube"], lost
    parts = (counts[:2], counts[2:], (counts[0] + counts[2], counts[1] + counts[3]))
    return {"plays": counts[0], "play_loss": counts[1], "cubes": counts[2], "cube_loss": counts[3],
            "ratings": [gnubg.errorrating(loss / number) if number else 8 for number, loss in parts]}


answer = {"players": [errors(found["stats"][side]) for side in "XO"],
          "games": [{"score": [game["info"]["score-X"], game["info"]["score-O"]], "records": list(records(game))}
                    for game in found["games"]]}
with open("analysis.json", "w") as file:
    json.dump(answer, file)
"""
