import Yoga from 'yoga-layout';
const root = Yoga.Node.create();
root.setFlexDirection(Yoga.FLEX_DIRECTION_ROW);
root.setWidth(300);
for (let i = 0; i < 50; i++) {
  const child = Yoga.Node.create();
  child.setFlexGrow(i % 3);
  root.insertChild(child, i);
}
root.calculateLayout(undefined, undefined, Yoga.DIRECTION_LTR);
console.log(Array.from({ length: 50 }, (_, i) => root.getChild(i).getComputedWidth()).join());
