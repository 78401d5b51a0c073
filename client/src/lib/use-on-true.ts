import { useEffect, useEffectEvent } from 'react';

/** Calls back on mount if the condition is true, and whenever it becomes true. */
export function useOnTrue(condition: boolean, callback: () => void): void {
  const onTrue = useEffectEvent(callback);
  useEffect(() => {
    if (condition) onTrue();
  }, [condition]);
}
