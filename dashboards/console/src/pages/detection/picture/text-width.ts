/** Font size of texts in a picture, px. The font family is that of the page. */
const FONT_PX = 12;

let context: CanvasRenderingContext2D | null | undefined;

/** Returns the width of a text in a picture, px. */
export function textWidth(text: string): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return text.length * FONT_PX * 0.6;
  context.font = `${FONT_PX}px ${getComputedStyle(document.body).fontFamily}`;
  return context.measureText(text).width;
}
