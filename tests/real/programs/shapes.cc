// Virtual calls, templates, closures and containers, without exceptions.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "print.h"

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual std::string name() const = 0;
};

struct Square : Shape {
  explicit Square(double side) : side(side) {}
  double area() const override { return side * side; }
  std::string name() const override { return "square"; }
  double side;
};

struct Circle : Shape {
  explicit Circle(double radius) : radius(radius) {}
  double area() const override { return 3.0 * radius * radius; }
  std::string name() const override { return "circle of some size"; }
  double radius;
};

template <typename T> T fold(const std::vector<T> &values, const std::function<T(T, T)> &combine) {
  return std::accumulate(values.begin(), values.end(), T(), combine);
}

static std::vector<std::unique_ptr<Shape>> make_shapes() {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 1; i < 60; i++) {
    if (i % 3 == 0) {
      shapes.push_back(std::make_unique<Circle>(i * 7 % 11));
    } else {
      shapes.push_back(std::make_unique<Square>(i * 5 % 13));
    }
  }
  return shapes;
}

int main() {
  auto shapes = make_shapes();
  std::stable_sort(shapes.begin(), shapes.end(),
                   [](const auto &a, const auto &b) { return a->area() < b->area(); });
  std::map<std::string, std::vector<double>> areas;
  for (const auto &shape : shapes)
    areas[shape->name()].push_back(shape->area());
  for (const auto &[name, values] : areas) {
    const double total = fold<double>(values, [](double a, double b) { return a + b; });
    print("%s %zu %g\n", name.c_str(), values.size(), total);
  }
}
