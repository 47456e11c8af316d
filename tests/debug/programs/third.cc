// Templates, namespaces, lambdas and inlined calls of inlined calls.
namespace shapes {

struct Shape {
  virtual int area() const = 0;
};

template <int Sides> struct Regular : Shape {
  int side;
  explicit Regular(int s) : side(s) {}
  int area() const override { return Sides * square(side) / 4; }
  static int square(int x) { return x * x; }
};

} // namespace shapes

extern "C" int measure(int size) {
  shapes::Regular<3> triangle(size);
  shapes::Regular<4> box(size + 1);
  const shapes::Shape *all[] = {&triangle, &box};
  auto add = [](int a, int b) { return a > b ? a + b : b; };
  int total = 0;
  for (const shapes::Shape *shape : all)
    total = add(total, shape->area());
  return total;
}
