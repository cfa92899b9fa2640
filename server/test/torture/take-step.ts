import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../support/wait-for.ts';
import { untilHealthy } from './check-round.ts';
import { killIfThere } from './launched-parts.ts';
import type { Round } from './open-round.ts';
import type { Step } from './plan-round.ts';
import type { Node, Scene } from './scene.ts';
import { works } from './works.ts';

const momentWithinMs = 150;
/** A command that has lost its server or its engine says so, or waits for it. */
const commandWithinMs = 360_000;

/** Does what a step says, and returns the faults that it caused, each with its victim and its moment. */
export async function takeStep(scene: Scene, round: Round, step: Step): Promise<string[]> {
  if (step.kind === 'cut') {
    const link = scene.links.get(step.link)!;
    await link.cut(step.cut);
    await delay(step.forMs);
    await link.mend();
    return [`${step.link}, ${step.cut}`];
  }
  if (step.kind === 'fault') {
    await scene.faults!.get(step.fault)!(step.forMs);
    return [step.fault];
  }
  if (step.kind === 'work') return await interruptWork(scene, round, step);
  if (step.kind === 'stop') {
    for (const name of step.victims) scene.parts.get(name)?.askToStop();
    await delay(step.killAfterMs);
    return await killAndLaunch(scene, step, 'during shutdown');
  }
  const faults = await killAndLaunch(scene, step);
  for (const ms of step.againAfterMs) {
    await delay(ms);
    faults.push(...(await killAndLaunch(scene, { ...step, awayMs: 0 })));
  }
  return faults;
}

type Killing = { victims: readonly string[]; awayMs: number };

async function killAndLaunch(scene: Scene, { victims, awayMs }: Killing, given?: string): Promise<string[]> {
  const moment = given ?? (await readMoment(scene, victims));
  const parts = victims.map((name) => scene.parts.get(name)).filter((part) => part !== undefined);
  for (const pid of victims.flatMap((name) => scene.children.get(name)?.() ?? [])) killIfThere(pid);
  await Promise.all(parts.map((part) => part.kill()));
  await delay(awayMs);
  for (const part of parts) await part.launch();
  const together = victims.length > 1 ? 'all at once: ' : '';
  return victims.map((victim) => `${together}${victim}, ${moment}`);
}

/** Kills something while a command is running. Afterwards, the command must be able to complete its work. */
async function interruptWork(
  scene: Scene,
  round: Round,
  step: Extract<Step, { kind: 'work' }>,
): Promise<string[]> {
  const [node] = scene.nodes;
  await untilHealthy(node!);
  const name = `${round.free.id}-${round.counts.accepted}`;
  const work = await works[step.work]!({ scene, round, node: node!, name });
  const command = node!.launch(...work.words);
  try {
    await delay(step.killAfterMs);
    const moment = `during ${step.work}${command.hasEnded() ? ', which had just ended' : ''}`;
    if (step.victims.length === 0 || step.victims.length > 1) await command.end('SIGKILL');
    const faults = await killAndLaunch(scene, step, moment);
    await waitFor('the command to end', command.hasEnded, commandWithinMs);
    await untilHealthy(node!);
    await work.complete();
    return faults.length > 0 ? faults : [`the command, ${moment}`];
  } catch (error) {
    round.incomplete.push(`${step.work}: ${(error as Error).message}`);
    return [`the command, during ${step.work}`];
  } finally {
    await command.end('SIGKILL');
  }
}

/** What the victim's node is doing. A part that isn't a node is named by what the first node is doing. */
async function readMoment({ nodes }: Scene, victims: readonly string[]): Promise<string> {
  const node: Node = nodes.find(({ name }) => victims.includes(name)) ?? nodes[0]!;
  const signal = AbortSignal.timeout(momentWithinMs);
  try {
    const response = await fetch(`${node.origin}/health`, { signal });
    const { degraded } = (await response.json()) as { degraded: unknown[] };
    if (response.status !== 200) return 'during start-up';
    return degraded.length > 0 ? 'during recovery' : 'under load';
  } catch {
    return signal.aborted ? 'while busy' : 'during start-up';
  }
}
