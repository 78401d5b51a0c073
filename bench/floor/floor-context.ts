import type pg from 'pg';
import type { Facts } from '../facts.ts';
import type { FloorUser } from './find-user.ts';

export type FloorContext = {
  pool: pg.Pool;
  user: FloorUser;
  facts: Facts;
  path: string;
  /** The request's, parsed; null when there is none. */
  json: unknown;
};

export type FloorAnswer = { status: number; headers: Record<string, string>; body: string | Buffer };

export function jsonAnswer(value: unknown): FloorAnswer {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status: 200, headers, body: JSON.stringify(value) };
}
