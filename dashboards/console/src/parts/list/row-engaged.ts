import { createContext } from 'react';

/** False in a row that has not been hovered or focused yet, which needs no buttons. */
export const RowEngaged = createContext(true);
