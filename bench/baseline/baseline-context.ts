import type pg from 'pg';
import type { BenchData } from '../data/bench-data.ts';
import type { BaselineUser } from './find-user.ts';

export type BaselineContext = {
  pool: pg.Pool;
  user: BaselineUser;
  data: BenchData;
  path: string;
  /** The parsed body, or null. */
  json: unknown;
};

export type BaselineResponse = { status: number; headers: Record<string, string>; body: string | Buffer };

export function jsonResponse(value: unknown): BaselineResponse {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status: 200, headers, body: JSON.stringify(value) };
}
