import { LoroDoc } from 'loro-crdt';

const one = new LoroDoc(), other = new LoroDoc();
one.setPeerId('1');
other.setPeerId('2');
for (let i = 0; i < 200; i++) {
  for (const [doc, word] of [[one, 'left '], [other, 'right ']]) {
    const text = doc.getText('text');
    text.insert((i * 7) % (text.length + 1), word);
    if (i % 5 === 4) text.delete(0, 3);
    doc.getList('list').push(i);
    doc.commit();
  }
  if (i % 20 === 19) {
    one.import(other.export({ mode: 'update' }));
    other.import(one.export({ mode: 'update' }));
  }
}
console.log(one.getText('text').toString() === other.getText('text').toString(), one.getText('text').length, one.getList('list').length);
console.log(one.toJSON().text.slice(0, 60));
one.free();
other.free();
