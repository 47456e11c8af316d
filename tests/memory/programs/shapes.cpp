// A class of Emscripten's embind, with an account of its own of what its objects hold.
#include <emscripten/bind.h>

static int live;

class Shape {
public:
  explicit Shape(int size) : size(size), data(new char[size]) { live += size + (int)sizeof *this; }
  ~Shape() {
    live -= size + (int)sizeof *this;
    delete[] data;
  }

private:
  int size;
  char *data;
};

static int live_bytes() { return live; }

EMSCRIPTEN_BINDINGS(shapes) {
  emscripten::class_<Shape>("Shape").constructor<int>();
  emscripten::function("liveBytes", &live_bytes);
}
