import * as z from 'zod/mini';
import { BulkEditRequest, BulkEditResult, BulkIdsRequest } from '#shared/album/bulk-edit';
import {
  DeletedMemory,
  FeaturedMemory,
  Memory,
  MemoryIdList,
  MemoryIdsQuery,
  MemoryList,
  MemoryListQuery,
  MemoryMonthList,
  MemoryMonthsQuery,
  MemoryPetCounts,
  MemorySearchQuery,
  MemoryStats,
  MemoryStatsQuery,
  UpdateMemoryRequest,
} from '#shared/album/memory';
import { findById, parse } from '../state/items.ts';
import { command, linkNext, list, parseBody, route, type Call } from './route.ts';

const MEMORIES = '/api/memories';

export const memoryRoutes = [
  route(`GET ${MEMORIES}`, MemoryList, (call) => pageOf(call, MemoryListQuery, MEMORIES)),
  route(`GET ${MEMORIES}/search`, MemoryList, (call) =>
    pageOf(call, MemorySearchQuery, `${MEMORIES}/search`),
  ),
  route(`GET ${MEMORIES}/ids`, MemoryIdList, (call) =>
    call.state.album.list(checked(call, MemoryIdsQuery)).map(({ id }) => id),
  ),
  route(`GET ${MEMORIES}/months`, MemoryMonthList, (call) =>
    call.state.album.months(checked(call, MemoryMonthsQuery)),
  ),
  route(`GET ${MEMORIES}/stats`, MemoryStats, (call) =>
    call.state.album.stats(checked(call, MemoryStatsQuery), call.state.now),
  ),
  route(`GET ${MEMORIES}/pet-counts`, MemoryPetCounts, ({ state }) => state.album.petCounts()),
  route(`GET ${MEMORIES}/featured`, z.nullable(FeaturedMemory), ({ state }) =>
    state.album.featured(state.now),
  ),
  command(`POST ${MEMORIES}/:id/dismiss`, ({ state, params }) => {
    state.album.dismissed.add(findById(state.album.memories, params['id']).id);
  }),
  list(`GET ${MEMORIES}/deleted`, DeletedMemory, ({ state }) => state.album.deleted),
  route(`PATCH ${MEMORIES}`, BulkEditResult, (call) =>
    call.state.album.changeMany(parseBody(call, BulkEditRequest)),
  ),
  command(`POST ${MEMORIES}/deleted`, (call) => {
    const { ids } = parseBody(call, BulkIdsRequest);
    call.state.album.expectAll(ids);
    for (const id of ids) call.state.album.delete(id);
  }),
  command(`POST ${MEMORIES}/deleted/restore`, (call) => {
    const { ids } = parseBody(call, BulkIdsRequest);
    call.state.album.expectAll(ids);
    for (const id of ids) call.state.album.restore(id);
  }),
  command(`DELETE ${MEMORIES}/deleted/:id`, ({ state, params }) => {
    state.album.deleteForGood(params['id'] ?? '');
  }),
  route(`PATCH ${MEMORIES}/:id`, Memory, (call) =>
    call.state.album.change(call.params['id'] ?? '', parseBody(call, UpdateMemoryRequest)),
  ),
  command(`DELETE ${MEMORIES}/:id`, ({ state, params }) => {
    state.album.delete(params['id'] ?? '');
  }),
  route(`POST ${MEMORIES}/:id/restore`, Memory, ({ state, params }) =>
    state.album.restore(params['id'] ?? ''),
  ),
];

function pageOf(call: Call, schema: z.ZodMiniType, path: string): Memory[] {
  const { memories, next } = call.state.album.page(checked(call, schema));
  if (next !== null) linkNext(call, path, next);
  return memories;
}

/** The query as it was sent. */
function checked({ query, state }: Call, schema: z.ZodMiniType): Call['query'] {
  parse(query, schema);
  if (query['petId']) findById(state.pets, query['petId'], 'This pet was not found.');
  return query;
}
