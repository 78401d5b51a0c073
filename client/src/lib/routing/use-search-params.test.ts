// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { useSearchParams } from './use-search-params.ts';

const schema = z.object({
  q: z.catch(z.string(), ''),
  view: z.catch(z.enum(['grid', 'list']), 'grid'),
});

/** Renders the hook at this URL. */
function renderAt(url: string) {
  history.pushState(null, '', url);
  const { result } = renderHook(() => useSearchParams(schema));
  return {
    params: () => result.current[0],
    setParams: (...args: Parameters<(typeof result.current)[1]>) => act(() => result.current[1](...args)),
  };
}

const currentUrl = () => location.pathname + location.search;

describe('useSearchParams', () => {
  beforeEach(() => history.pushState(null, '', '/'));
  afterEach(cleanup);

  it('reads the URL, with fallbacks for missing or invalid values', () => {
    expect(renderAt('/gallery?q=lake&view=list').params()).toEqual({ q: 'lake', view: 'list' });
    expect(renderAt('/gallery?view=circle&other=1').params()).toEqual({ q: '', view: 'grid' });
  });

  it("writes in the schema's order, without fallbacks and unknown fields", () => {
    const { params, setParams } = renderAt('/gallery?other=1');
    setParams({ view: 'list' });
    setParams({ q: 'lake' });
    expect(currentUrl()).toBe('/gallery?q=lake&view=list');
    expect(params()).toEqual({ q: 'lake', view: 'list' });
    setParams({ q: '', view: 'grid' });
    expect(currentUrl()).toBe('/gallery');
  });

  it('pushes or replaces a history entry', () => {
    const { params, setParams } = renderAt('/gallery');
    const before = history.length;
    setParams({ q: 'lake' }, { replace: true, state: { row: 3 } });
    expect([history.length, history.state, params().q]).toEqual([before, { row: 3 }, 'lake']);
    setParams({ q: 'snow' });
    expect([history.length, history.state, params().q]).toEqual([before + 1, null, 'snow']);
  });

  it('follows back navigation', async () => {
    const { params, setParams } = renderAt('/gallery?q=lake');
    setParams({ q: 'snow' });
    await act(async () => {
      const moved = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
      history.back();
      await moved;
    });
    expect(params().q).toBe('lake');
  });

  it.each(['100%', '%26', 'a&b=c', 'a+b c', 'Käthe #1?'])('round-trips %j', (q) => {
    const { params, setParams } = renderAt('/gallery');
    setParams({ q });
    expect(params().q).toBe(q);
  });
});
