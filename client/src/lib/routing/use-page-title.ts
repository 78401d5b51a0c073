import { useEffect } from 'react';

const PRODUCT = 'Mems Are Forever';

export function usePageTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT}` : PRODUCT;
  }, [title]);
}
