"""A deep Q-network learns to keep a pole upright, with a replay memory and a target network (1.8).

    python examples/from_2022/deep_q_network.py [--mode graph|pynative] [--episodes N]
"""
import argparse
import math
import random

import numpy as np

import mindspore as ms
from mindspore import nn, ops


class Pole:
    """A cart with a pole (Barto, Sutton and Anderson 1983): push left or right; 1 for every step that it stands."""

    def __init__(self, rng, limit=100):
        self.rng, self.limit = rng, limit

    def reset(self):
        self.state, self.steps = self.rng.uniform(-0.05, 0.05, 4), 0
        return self.state.astype(np.float32)

    def step(self, action):
        x, v, angle, turn = self.state
        force, cos, sin = 10.0 if action else -10.0, math.cos(angle), math.sin(angle)
        pull = (force + 0.05 * turn ** 2 * sin) / 1.1
        angular = (9.8 * sin - cos * pull) / (0.5 * (4 / 3 - 0.1 * cos ** 2 / 1.1))
        self.state = self.state + 0.02 * np.array([v, pull - 0.05 * angular * cos / 1.1, turn, angular])
        self.steps += 1
        fell = abs(self.state[0]) > 2.4 or abs(self.state[2]) > 0.2094
        return self.state.astype(np.float32), 1.0, fell, fell or self.steps >= self.limit


class QNet(nn.Cell):
    """The value of each action in a state."""

    def __init__(self, hidden=64):
        super().__init__()
        self.net = nn.SequentialCell(nn.Dense(4, hidden), nn.ReLU(), nn.Dense(hidden, hidden), nn.ReLU(),
                                     nn.Dense(hidden, 2))

    def construct(self, state):
        return self.net(state)


class TemporalDifference(nn.Cell):
    """How far the values of actions are from what came and the values that followed."""

    def __init__(self, q, target, discount):
        super().__init__(auto_prefix=False)
        self.q, self.target, self.discount = q, target, discount
        self.loss = nn.SmoothL1Loss(reduction="mean")

    def construct(self, state, action, reward, following, going_on):
        value = ops.gather_elements(self.q(state), 1, action)
        best = self.target(following).max(axis=1, keepdims=True)
        return self.loss(value, ops.stop_gradient(reward + self.discount * best * going_on))


def main(mode="graph", episodes=100, batch=64):
    """The mean lengths of the first and of the last ten episodes."""
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(1)
    rng, chance = np.random.RandomState(0), random.Random(0)
    pole, memory = Pole(rng), []
    q, target = QNet(), QNet()
    step = nn.TrainOneStepCell(TemporalDifference(q, target, 0.98), nn.Adam(q.trainable_params(), 0.002))
    step.set_train()
    copies = list(zip(target.get_parameters(), q.get_parameters()))
    lengths, count = [], 0
    for episode in range(episodes):
        state, done = pole.reset(), False
        while not done:
            random_part = max(0.02, 0.5 * 0.99 ** (count / 10))
            if chance.random() < random_part:
                action = chance.randrange(2)
            else:
                action = int(q(ms.Tensor(state[None])).asnumpy().argmax())
            following, reward, fell, done = pole.step(action)
            memory.append((state, [action], [reward], following, [0.0 if fell else 1.0]))
            state, count = following, count + 1
            if len(memory) >= 4 * batch:
                columns = zip(*chance.sample(memory[-3000:], batch))
                kinds = (np.float32, np.int32, np.float32, np.float32, np.float32)
                step(*[ms.Tensor(np.array(c, k)) for c, k in zip(columns, kinds)])
            if count % 50 == 0:
                for old, new in copies:
                    ops.assign(old, new)
        lengths.append(pole.steps)
        if episode % 20 == 19:
            print(f"episode {episode + 1}: {np.mean(lengths[-20:]):.1f} steps")
    return {"first": float(np.mean(lengths[:10])), "last": float(np.mean(lengths[-10:])), "best": max(lengths)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--episodes", type=int, default=150)
    print(main(**vars(parser.parse_args())))
