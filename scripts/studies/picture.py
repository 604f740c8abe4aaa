"""How the pictures of the studies look, and how they are written: the same numbers give the same bytes."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

plt.rcParams.update({
    "svg.hashsalt": "mrcnic",
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "lines.marker": "o",
    "lines.markersize": 4,
})


def figure(title, panels):
    """A row of axes under one title."""
    fig, axes = plt.subplots(1, panels, figsize=(4.2 * panels, 3.6), layout="constrained", squeeze=False)
    fig.suptitle(title)
    return fig, list(axes[0])


def label(axes, x, y, log_x=False):
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if log_x:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")


def save(fig, path):
    fig.savefig(path, format="svg", metadata={"Date": None})
    plt.close(fig)
