/** A point of a picture. */
export interface Mark {
  /** Seconds since the epoch. */
  readonly seconds: number;
  /** Value on the vertical axis, or the index of a lane. */
  readonly y: number;
  readonly shape: 'dot' | 'ring' | 'stem' | 'tick';
  /** Lines of the tooltip below the time. */
  readonly lines: readonly string[];
  /** The record that Enter or a click opens. */
  readonly opens?: { readonly kind: 'event' | 'detection'; readonly id: string };
}

/** A hatched period with a label above the points. Seconds since the epoch. */
export interface Band {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

export interface LinearAxis {
  readonly kind: 'linear';
  readonly low: number;
  readonly high: number;
  /** Allowed steps of the axis, ascending. */
  readonly steps: readonly number[];
  readonly label: (value: number) => string;
}
/** An axis with one row per name. */
export interface LaneAxis {
  readonly kind: 'lanes';
  readonly names: readonly string[];
}

export interface LegendEntry {
  readonly symbol: Mark['shape'] | 'band' | 'reference' | 'none';
  readonly text: string;
}

/** Progress of an attack towards the maximum that it needs. */
export interface Progress {
  readonly value: number;
  readonly max: number;
  readonly text: string;
}

/** Content of a detection's picture, without its size and colours. */
export interface PictureModel {
  readonly title: string;
  readonly caption?: string;
  readonly axis: LinearAxis | LaneAxis;
  /** Oldest first. */
  readonly marks: readonly Mark[];
  readonly bands: readonly Band[];
  /** Horizontal lines with a label. */
  readonly references: readonly { readonly y: number; readonly label: string }[];
  readonly legend: readonly LegendEntry[];
  readonly progress?: Progress;
  /** True if the vertical axis can show the whole mapping. */
  readonly hasMapping?: boolean;
  /** Description of the picture as a sentence, for screen readers. */
  readonly summary: string;
}
