import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import type * as z from 'zod/mini';

type StringFields = z.ZodMiniObject<Record<string, z.ZodMiniType<string>>>;

export interface NavigateOptions {
  replace?: boolean;
  state?: unknown;
}

/** State in the URL's query. Fields that equal their fallback (`z.catch` in the schema) are omitted. */
export function useSearchParams<Schema extends StringFields>(schema: Schema) {
  type Params = z.output<Schema>;
  const [path, navigate] = useLocation();
  // Not wouter's own hook: it returns decoded text, which URLSearchParams would decode again.
  const search = useSearch();
  const params = schema.parse(Object.fromEntries(new URLSearchParams(search)));
  const setParams = (changes: Partial<Params>, options?: NavigateOptions) => {
    const fallbacks = Object.entries<string>(schema.parse({}));
    const next: Record<string, string> = { ...params, ...changes };
    const changed = fallbacks.filter(([name, fallback]) => next[name] !== fallback);
    const query = new URLSearchParams(changed.map(([name]) => [name, next[name]!]));
    navigate(query.size > 0 ? `${path}?${query}` : path, options);
  };
  return [params, setParams] as const;
}
