import { Export, ExportList } from '#shared/transfers/export';
import { IMPORT_CHUNK_BYTES, Import, ImportList, StartImportRequest } from '#shared/transfers/import';
import { newId } from '../state/fake-state.ts';
import { findById, notFound, removeById } from '../state/items.ts';
import { command, file, parseBody, route } from './route.ts';

/** Exports and imports of all that an account holds. */
export const transferRoutes = [
  route('GET /api/exports', ExportList, ({ state }) => state.exports),
  route(
    'POST /api/exports',
    Export,
    ({ state }) => {
      const making = state.exports.find(({ status }) => status === 'making');
      if (making) return making;
      const started: Export = {
        id: newId(state),
        status: 'making',
        progress: 0,
        createdAt: state.now,
        expiresAt: null,
        parts: [],
      };
      state.exports = [started];
      return started;
    },
    { status: 202 },
  ),
  file('GET /api/exports/parts/:id', 'application/zip', ({ state, params }) => {
    const parts = state.exports.flatMap((each) => each.parts);
    if (!parts.some(({ url }) => url.endsWith(`/${params['id']}`))) throw notFound();
    return new Uint8Array();
  }),
  route('GET /api/imports', ImportList, ({ state }) => state.imports),
  route(
    'POST /api/imports',
    Import,
    (call) => {
      const { fileName, size } = parseBody(call, StartImportRequest);
      const started: Import = {
        id: newId(call.state),
        fileName,
        byteSize: size,
        receivedBytes: 0,
        status: 'receiving',
        message: null,
        total: 0,
        done: 0,
        added: 0,
        unreadable: 0,
        missing: 0,
      };
      call.state.imports = [started];
      return started;
    },
    { status: 201 },
  ),
  route('PUT /api/imports/:id/chunks/:number', Import, (call) => {
    const started = findById(call.state.imports, call.params['id']);
    const end = (Number(call.params['number']) + 1) * IMPORT_CHUNK_BYTES;
    started.receivedBytes = Math.min(end, started.byteSize);
    if (started.receivedBytes === started.byteSize) {
      started.status = 'working';
      call.status = 202;
    }
    return started;
  }),
  command('DELETE /api/imports/:id', ({ state, params }) => removeById(state.imports, params['id'])),
];
