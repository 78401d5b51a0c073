/** As in `npm start` of package.json. */
export const APP_ARGUMENTS = ['--max-semi-space-size=4', 'scripts/start.mjs'];
export const APP_MEMORY_SETTINGS = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' };
