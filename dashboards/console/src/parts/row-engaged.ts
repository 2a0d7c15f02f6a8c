import { createContext } from 'react';

/** False in a row of a list that neither the pointer nor the keyboard has been on: it needs no buttons yet. */
export const RowEngaged = createContext(true);
