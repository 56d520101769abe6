import { useStdout } from 'ink';
import { createContext, useContext, useEffect, useState } from 'react';

export interface Size {
  width: number;
  height: number;
}

const fallback: Size = { width: 80, height: 24 };

/** The terminal, as large as it is at the moment. */
export function useTerminalSize(): Size {
  const { stdout } = useStdout();
  const read = () => ({ width: stdout.columns || fallback.width, height: stdout.rows || fallback.height });
  const [size, setSize] = useState(read);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` reads the stream again each time.
  useEffect(() => {
    const onResize = () => setSize(read());
    onResize();
    stdout.on('resize', onResize);
    return () => {
      stdout.off('resize', onResize);
    };
  }, [stdout]);
  return size;
}

const BodyContext = createContext<Size>(fallback);

/** The room a screen has between the tabs and the lower edge. */
export const BodySizeProvider = BodyContext.Provider;
export const useBodySize = (): Size => useContext(BodyContext);
