"""Systems that others published with values at a time: the event-driven method reaches them, with every arc proved and verified.

Sources: W. Schiehlen, Multibody Systems Handbook (1990), and the test set for IVP solvers (squeezer, car axis, Pleiades); E. Hairer, S. P.
Norsett, G. Wanner, Solving Ordinary Differential Equations I (Arenstorf's orbit). The squeezer is 1.4e-9 away from its published value,
whatever the order of the series; the angles there are of 16 rad, at 1100 rad/s."""
import json

from thudcli import close, end, example, folder, report, thud, thud_json

# Example -> (absolute tolerance, published state at the end).
PUBLISHED = {
    "squeezer": (2e-9, {"be": 15.81077119630, "th": -15.75637105984, "ga": 0.04082224013, "ph": -0.53473011632,
                        "de": 0.52440996588, "om": 0.53473011632, "ep": 1.04808074104}),
    "car-axis": (1e-11, {"xl": 0.0493455784275402809, "yl": 0.496989460230171154, "xr": 1.04174252488542152,
                         "yr": 0.373911027265361257, "xl'": -0.0770583684040972358, "yl'": 0.00744686658723778553,
                         "xr'": 0.0175568157537232222, "yr'": 0.770341043779251976}),
    "pleiades": (1e-10, {"x1": 0.3706139143970502, "x2": 3.237284092057233, "x3": -3.222559032418324, "x4": 0.6597091455775310,
                        "x5": 0.3425581707156584, "x6": 1.562172101400631, "x7": -0.7003092922212495, "y1": -3.943437585517392,
                        "y2": -3.271380973972550, "y3": 5.225081843456543, "y4": -2.590612434977470, "y5": 1.198213693392275,
                        "y6": -0.2429682344935824, "y7": 1.091449240428980}),
    "arenstorf-orbit": (1e-9, {"x": 0.994, "y": 0, "x'": 0, "y'": -2.00158510637908252}),
}

with folder() as here:
    for name, (tolerance, state) in PUBLISHED.items():
        result = thud_json("run", example(f"event-driven/{name}"), "-o", f"{name}.h5", cwd=here)
        for key, value in state.items():
            close(f"{name}: {key}", result["state"][key], value, tolerance)
        report(f"{name}: every arc is proved", result["proved_arcs"] == result["arcs"] > 100, (result["proved_arcs"], result["arcs"]))
        done = thud("verify", f"{name}.h5", "--json", cwd=here)
        report(f"{name}: the record is verified", json.loads(done.stdout)["verdict"] == "good", done.stdout)
    # The crank of the squeezer, and the forces of the equations of the car axis, which are Lagrange's multipliers.
    crank = thud_json("run", example("event-driven/squeezer"), "-o", "crank.h5", cwd=here)["state"]["be'"]
    close("squeezer: be'", crank, 1139.920302, 1e-5)
    rows = [line.split(",") for line in thud("export", "car-axis.h5", "--no-units", cwd=here).stdout.splitlines()]
    found = [float(rows[-2][rows[0].index(f"reaction[{name}]")]) for name in ("upright", "rod")]  # the left limit
    for name, value, expected in zip(("upright", "rod"), found, (-0.00473688659084893325, -0.00110468033125734369)):
        close(f"car-axis: reaction of {name}", value, expected, 1e-13)
end()
