import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CaricatureStyle,
  isServiceFailure,
  type Caricature,
  type CaricatureFailureReason,
} from '#shared/album/caricature';
import { listCaricatures } from '../../data/caricatures.ts';
import { addMemory } from '../../data/factories.ts';
import { compare, type Violation } from '../invariants.ts';
import type { Operation, World } from './operation.ts';

const POLL_INTERVAL_MS = 200;

/** A caricature, from the request until it is shown. */
export async function createCaricatures({ installation, owner, pet }: World): Promise<Operation> {
  await owner.post('/api/caricatures/consent');
  const { imageUrl } = await addMemory(owner, { petId: pet.id });
  // A request while the same photo is generated in the same style gets the same caricature.
  const acknowledged = new Set<string>();
  const find = async (id: string) => {
    const text = 'select status, failure_reason as reason from caricatures where id = $1';
    return (
      await installation.pool.query<{ status: string; reason: CaricatureFailureReason | null }>(text, [id])
    ).rows[0];
  };
  const isGenerating = async (id: string) =>
    (await listCaricatures(owner)).find((each) => each.id === id)?.status === 'generating';
  return {
    name: 'caricature',
    async run(n) {
      const style = CaricatureStyle.options[n % CaricatureStyle.options.length];
      const request = { petId: pet.id, imageUrl, style };
      const headers = { 'Idempotency-Key': randomUUID() };
      const { status, text, body } = await owner.post('/api/caricatures/generate', request, headers);
      if (status !== 202) throw new Error(`caricature ${n}: ${status} ${text}`);
      const { id } = body as Caricature;
      acknowledged.add(id);
      while (await isGenerating(id)) await pause(POLL_INTERVAL_MS);
    },
    async check() {
      const violations: Violation[] = [];
      for (const id of acknowledged) {
        const found = await find(id);
        // After some attempts it fails, which its owner sees and may redo.
        const isOver = found?.status === 'completed' || (found?.reason && isServiceFailure(found.reason));
        if (!isOver) violations.push({ kind: 'lost', what: `caricature ${id}: ${JSON.stringify(found)}` });
      }
      const { rows } = await installation.pool.query<{ count: number }>(
        'select count(*)::int as count from caricatures where pet_id = $1',
        [pet.id],
      );
      return [...violations, ...compare('caricatures', rows[0]?.count ?? 0, acknowledged.size)];
    },
  };
}
