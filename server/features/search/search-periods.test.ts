import { describe, expect, it } from 'vitest';
import { findSearchPeriods } from './search-periods.ts';

describe('findSearchPeriods', () => {
  it('understands years, and months of years', () => {
    const december = { from: '2023-12-01', to: '2024-01-01', words: ['december', '2023'] };
    expect(findSearchPeriods(['2019'])).toEqual([{ from: '2019-01-01', to: '2020-01-01', words: ['2019'] }]);
    expect(findSearchPeriods(['december', '2023'])).toEqual([december]);
    expect(findSearchPeriods(['rex', 'dec', '2023', 'snow'])).toEqual([
      'rex',
      { ...december, words: ['dec', '2023'] },
      'snow',
    ]);
    expect(findSearchPeriods(['2023', 'december'])).toEqual([december]);
  });

  it('leaves other words and numbers alone', () => {
    const words = ['december', 'de', '1066', '20190', '12', 'mayor'];
    expect(findSearchPeriods(words)).toEqual(words);
    expect(findSearchPeriods([])).toEqual([]);
  });
});
