(** * Types of terms

    Decidable equality of terms, the typing rules of core/terms.py, and preservation: a well-typed term has a value of its type. *)
From Tallystick Require Export Values.

Section TermInd.
  Variable P : term -> Prop.
  Hypothesis HI : forall z, P (Int z).
  Hypothesis HB : forall b, P (Bool b).
  Hypothesis HX : forall s, P (Text s).
  Hypothesis HV : forall x t, P (Var x t).
  Hypothesis HE : forall t, P (Elem t).
  Hypothesis HA : forall t, P (Acc t).
  Hypothesis HO : forall o args, Forall P args -> P (Op o args).
  Fixpoint term_ind' (t : term) : P t :=
    let fix all (ts : list term) : Forall P ts :=
      match ts with [] => Forall_nil _ | t :: r => Forall_cons _ (term_ind' t) (all r) end in
    match t with
    | Int z => HI z | Bool b => HB b | Text s => HX s | Var x t => HV x t | Elem t => HE t | Acc t => HA t
    | Op o args => HO o args (all args)
    end.
End TermInd.
Section TyInd.
  Variable P : ty -> Prop.
  Hypothesis HI : P TInt.
  Hypothesis HB : P TBool.
  Hypothesis HX : P TText.
  Hypothesis HO : forall t, P t -> P (TOpt t).
  Hypothesis HT : forall ts, Forall P ts -> P (TTup ts).
  Hypothesis HG : forall t, P t -> P (TBag t).
  Fixpoint ty_ind' (t : ty) : P t :=
    let fix all (ts : list ty) : Forall P ts :=
      match ts with [] => Forall_nil _ | t :: r => Forall_cons _ (ty_ind' t) (all r) end in
    match t with TInt => HI | TBool => HB | TText => HX | TOpt t => HO t (ty_ind' t) | TTup ts => HT ts (all ts) | TBag t => HG t (ty_ind' t) end.
End TyInd.

Section ListEqb.
  Context {A} (eqb : A -> A -> bool).
  Fixpoint list_eqb (l k : list A) : bool :=
    match l, k with [], [] => true | x :: l, y :: k => eqb x y && list_eqb l k | _, _ => false end.
End ListEqb.
Fixpoint ty_eqb (t u : ty) : bool :=
  match t, u with
  | TInt, TInt | TBool, TBool | TText, TText => true | TOpt t, TOpt u => ty_eqb t u | TTup ts, TTup us => list_eqb ty_eqb ts us | TBag t, TBag u => ty_eqb t u | _, _ => false
  end.
Fixpoint name_eqb (x y : name) : bool :=
  match x, y with
  | N s, N t => String.eqb s t | S b i, S c j => Nat.eqb i j && name_eqb b c | Post, Post => true
  | Any i, Any j => Nat.eqb i j
  | App f ts vs, App g us ws => String.eqb f g && list_eqb ty_eqb ts us && list_eqb veqb vs ws
  | _, _ => false
  end.
Definition op_eqb (o p : op) : bool :=
  match o, p with
  | Add, Add | Equal, Equal | Less, Less | LessEq, LessEq | Not, Not | And, And | Or, Or | Tuple, Tuple | Ite, Ite
  | SomeOf, SomeOf | IsNone, IsNone
  | Map, Map | Filter, Filter | Cartesian, Cartesian | Union, Union | Distinct, Distinct | Without, Without | Fold, Fold
  | FoldByKey, FoldByKey => true
  | NoneOf t, NoneOf u | ValueOf t, ValueOf u => ty_eqb t u
  | Apply f ts t, Apply g us u | Expand f ts t, Expand g us u => String.eqb f g && list_eqb ty_eqb ts us && ty_eqb t u
  | Scale a, Scale b | Div a, Div b | Mod a, Mod b => Z.eqb a b
  | Proj i, Proj j => Nat.eqb i j
  | _, _ => false
  end.
Fixpoint term_eqb (t u : term) : bool :=
  match t, u with
  | Int a, Int b => Z.eqb a b | Bool a, Bool b => Bool.eqb a b | Text a, Text b => String.eqb a b
  | Var x t, Var y u => name_eqb x y && ty_eqb t u
  | Elem t, Elem u | Acc t, Acc u => ty_eqb t u
  | Op o ts, Op p us => op_eqb o p && list_eqb term_eqb ts us
  | _, _ => false
  end.
Lemma list_eqb_eq {A} (eqb : A -> A -> bool) l : Forall (fun x => forall y, eqb x y = true -> x = y) l ->
  forall k, list_eqb eqb l k = true -> l = k.
Proof. induction 1; destruct k; cbn; try discriminate; auto. rewrite andb_true_iff. intros [? ?]; f_equal; auto. Qed.
Lemma ty_eqb_eq t u : ty_eqb t u = true -> t = u.
Proof.
  revert u; induction t using ty_ind'; destruct u; cbn; try discriminate; auto; intros E; f_equal; auto.
  eapply list_eqb_eq; eauto.
Qed.
Lemma ty_eqb_refl t : ty_eqb t t = true.
Proof. induction t using ty_ind'; cbn; auto. induction H; cbn; auto. rewrite H; auto. Qed.
Lemma tys_eqb_eq ts us : list_eqb ty_eqb ts us = true <-> ts = us.
Proof.
  split; [apply list_eqb_eq, Forall_forall; intros; now apply ty_eqb_eq|]. intros <-. induction ts; cbn; auto. now rewrite ty_eqb_refl.
Qed.
Lemma vals_eqb_eq vs ws : list_eqb veqb vs ws = true <-> vs = ws.
Proof.
  split; [apply list_eqb_eq, Forall_forall; intros; now apply veqb_eq|]. intros <-. induction vs; cbn; auto. now rewrite veqb_refl.
Qed.
Lemma name_eqb_eq x y : name_eqb x y = true <-> x = y.
Proof.
  split.
  - revert y; induction x; destruct y; cbn; try discriminate; auto.
    + intros E; apply String.eqb_eq in E; congruence.
    + rewrite andb_true_iff. intros [E F]. apply Nat.eqb_eq in E. f_equal; auto.
    + intros E. apply Nat.eqb_eq in E. congruence.
    + rewrite !andb_true_iff, String.eqb_eq, tys_eqb_eq, vals_eqb_eq. intros [[-> ->] ->]. auto.
  - intros <-. induction x; cbn; auto using String.eqb_refl, Nat.eqb_refl; [now rewrite Nat.eqb_refl|].
    now rewrite String.eqb_refl, (proj2 (tys_eqb_eq _ _) eq_refl), (proj2 (vals_eqb_eq _ _) eq_refl).
Qed.
Lemma op_eqb_eq o p : op_eqb o p = true -> o = p.
Proof.
  destruct o, p; cbn; try discriminate; auto; rewrite ?andb_true_iff, ?Z.eqb_eq, ?Nat.eqb_eq, ?String.eqb_eq, ?tys_eqb_eq; try congruence.
  - intros H. apply ty_eqb_eq in H. congruence.
  - intros H. apply ty_eqb_eq in H. congruence.
  - intros [[-> ->] H]. apply ty_eqb_eq in H. congruence.
  - intros [[-> ->] H]. apply ty_eqb_eq in H. congruence.
Qed.
Lemma term_eqb_eq t u : term_eqb t u = true -> t = u.
Proof.
  revert u; induction t using term_ind'; destruct u; cbn; try discriminate; intros E; auto.
  - apply Z.eqb_eq in E; congruence.
  - apply Bool.eqb_prop in E; congruence.
  - apply String.eqb_eq in E; congruence.
  - apply andb_true_iff in E as [E F]. apply name_eqb_eq in E. apply ty_eqb_eq in F. congruence.
  - apply ty_eqb_eq in E; congruence.
  - apply ty_eqb_eq in E; congruence.
  - apply andb_true_iff in E as [E F]. apply op_eqb_eq in E. apply list_eqb_eq in F; auto. congruence.
Qed.

(** Typing; what occurs outside of its UDF has no type. *)
Definition is (o : option ty) (t : ty) : bool := match o with Some u => ty_eqb u t | None => false end.
Lemma is_eq o t : is o t = true <-> o = Some t.
Proof.
  destruct o; cbn; split; try discriminate; intros H.
  - apply ty_eqb_eq in H; congruence. - inversion H. apply ty_eqb_refl.
Qed.
Fixpoint sequence {A} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | Some x :: l => match sequence l with Some r => Some (x :: r) | None => None end
  | None :: _ => None
  end.
Definition when {A} (b : bool) (o : option A) := if b then o else None.
Definition comparable_type (t : ty) : bool := match t with TInt | TText => true | _ => false end.
Fixpoint typeof (ce ca : option ty) (t : term) {struct t} : option ty :=
  match t with
  | Int _ => Some TInt | Bool _ => Some TBool | Text _ => Some TText | Var _ t => Some t
  | Elem t => when (is ce t) (Some t)
  | Acc t => when (is ca t) (Some t)
  | Op Add args => when (forallb (fun o => is o TInt) (map (typeof ce ca) args)) (Some TInt)
  | Op (Scale _) [x] | Op (Div _) [x] | Op (Mod _) [x] => when (is (typeof ce ca x) TInt) (Some TInt)
  | Op Equal [x; y] => match typeof ce ca x with Some t => when (is (typeof ce ca y) t) (Some TBool) | None => None end
  | Op Less [x; y] | Op LessEq [x; y] =>
      match typeof ce ca x with Some t => when (is (typeof ce ca y) t && comparable_type t) (Some TBool) | None => None end
  | Op Not [x] => when (is (typeof ce ca x) TBool) (Some TBool)
  | Op And args | Op Or args => when (forallb (fun o => is o TBool) (map (typeof ce ca) args)) (Some TBool)
  | Op Tuple args => match sequence (map (typeof ce ca) args) with Some ts => Some (TTup ts) | None => None end
  | Op (Proj i) [x] => match typeof ce ca x with Some (TTup ts) => nth_error ts i | _ => None end
  | Op Ite [c; x; y] =>
      match typeof ce ca x with Some t => when (is (typeof ce ca c) TBool && is (typeof ce ca y) t) (Some t) | None => None end
  | Op (NoneOf t) [] => Some (TOpt t)
  | Op SomeOf [x] => match typeof ce ca x with Some t => Some (TOpt t) | None => None end
  | Op IsNone [x] => match typeof ce ca x with Some (TOpt _) => Some TBool | _ => None end
  | Op (ValueOf t) [x] => when (is (typeof ce ca x) (TOpt t)) (Some t)
  | Op (Apply _ ts t) args =>
      match sequence (map (typeof ce ca) args) with Some us => when (list_eqb ty_eqb us ts) (Some t) | None => None end
  | Op Map [f; b] =>
      match typeof None None b with
      | Some (TBag t) => match typeof (Some t) None f with Some u => Some (TBag u) | None => None end
      | _ => None
      end
  | Op Filter [f; b] =>
      match typeof None None b with Some (TBag t) => when (is (typeof (Some t) None f) TBool) (Some (TBag t)) | _ => None end
  | Op Cartesian [b; c] =>
      match typeof None None b, typeof None None c with
      | Some (TBag t), Some (TBag u) => Some (TBag (TTup [t; u])) | _, _ => None end
  | Op Union [b; c] =>
      match typeof None None b with Some (TBag t) => when (is (typeof None None c) (TBag t)) (Some (TBag t)) | _ => None end
  | Op Distinct [b] => match typeof None None b with Some (TBag t) => Some (TBag t) | _ => None end
  | Op (Expand _ ts t) [g; b] =>
      match typeof None None b with
      | Some (TBag u) => when (is (typeof (Some u) None g) (TTup ts)) (Some (TBag (TTup [u; t]))) | _ => None end
  | Op Without [f; b; c] =>
      match typeof None None b with
      | Some (TBag u) => match typeof (Some u) None f with
          | Some k => when (is (typeof None None c) (TBag k)) (Some (TBag u)) | None => None end
      | _ => None end
  | Op Fold [i; f; b] =>
      match typeof None None i, typeof None None b with
      | Some t, Some (TBag u) => when (is (typeof (Some u) (Some t) f) t) (Some t) | _, _ => None end
  | Op FoldByKey [i; f; b] =>
      match typeof None None i, typeof None None b with
      | Some t, Some (TBag (TTup [k; u])) => when (is (typeof (Some u) (Some t) f) t) (Some (TBag (TTup [k; t])))
      | _, _ => None end
  | Op _ _ => None
  end.
Definition type (t : term) := typeof None None t.
Definition fits (c : option ty) (v : val) := match c with Some t => has_type v t | None => True end.

Ltac whens := repeat match goal with
  | H : when ?b _ = Some _ |- _ => let E := fresh "E" in destruct b eqn:E; cbn in H; [|discriminate]
  | H : Some _ = Some _ |- _ => inversion H; subst; clear H
  | H : None = Some _ |- _ => discriminate
  | H : (_ && _)%bool = true |- _ => apply andb_true_iff in H as [? ?]
  | H : is _ _ = true |- _ => apply is_eq in H
  | H : match ?o with _ => _ end = Some _ |- _ => let E := fresh "E" in destruct o eqn:E; try discriminate
  end.
Ltac inv_forall := repeat match goal with
  | H : Forall _ (_ :: _) |- _ => let A := fresh "IH" in apply Forall_cons_iff in H as [A H]
  | H : Forall _ [] |- _ => clear H
  end.

Lemma toB_bool b : toB (VBool b) = b. Proof. now destruct b. Qed.
Lemma bool_of v : has_type v TBool -> v = VBool (toB v).
Proof. destruct v; cbn; try tauto. now rewrite toB_bool. Qed.
Lemma int_of v : has_type v TInt -> v = VInt (toZ v).
Proof. destruct v; cbn; tauto. Qed.
Lemma fold_left_inv {A B} (P : A -> Prop) (f : A -> B -> A) l a :
  P a -> (forall a b, In b l -> P a -> P (f a b)) -> P (fold_left f l a).
Proof. revert a; induction l; cbn; intros; auto. Qed.
Lemma pair_typed p k u : has_type p (TTup [k; u]) -> has_type (component 0 p) k /\ has_type (component 1 p) u.
Proof. destruct p as [| | | | |[|x [|y []]]|]; cbn; tauto. Qed.
Lemma option_of v t : has_type v (TOpt t) -> v = VNone \/ exists w, v = VSome w /\ has_type w t.
Proof. destruct v; cbn; eauto; tauto. Qed.
Lemma default_typed t : has_type (default t) t.
Proof.
  induction t using ty_ind'; cbn [default]; try exact I; [|cbn; auto]. apply has_type_tup. induction H; cbn; constructor; auto.
Qed.

(** Splits the arguments of an operator that has a fixed number of them. *)
Ltac split_args args :=
  match goal with
  | H : context [Op Tuple args] |- _ => idtac | H : context [Op Add args] |- _ => idtac
  | H : context [Op And args] |- _ => idtac | H : context [Op Or args] |- _ => idtac
  | H : context [Op (Apply _ _ _) args] |- _ => idtac
  | _ => destruct args as [|?x [|?y [|?z [|]]]]; try discriminate
  end.

Theorem preservation r : typed r -> forall t ce ca e a ty, typeof ce ca t = Some ty -> fits ce e -> fits ca a ->
  has_type (eval r e a t) ty.
Proof.
  intros R t; induction t using term_ind'; intros ce ca e a ty T Fe Fa.
  - cbn in T; inversion T; cbn; auto.
  - cbn in T; inversion T; cbn; auto.
  - cbn in T; inversion T; cbn; auto.
  - cbn in T; inversion T; subst; apply R.
  - cbn in T. whens. subst. exact Fe.
  - cbn in T. whens. subst. exact Fa.
  - destruct o;
      split_args args;
      cbn [typeof] in T; whens; inv_forall; try (cbn; exact I).
    + (* tuple *) cbn [run in_order]. apply has_type_tup. clear -H E Fe Fa.
      revert l E; induction H; cbn; intros l0 E; whens; constructor; eauto.
    + (* proj *) cbn [run in_order]. specialize (IH _ _ _ _ _ E Fe Fa). destruct (eval r e a x); cbn in IH; try tauto.
      apply has_type_tup in IH. clear -IH T. cbn.
      revert index T; induction IH; destruct index; cbn; try discriminate; eauto. intros; whens; auto.
    + (* ite *) cbn [run in_order]. destruct (toB _); eauto.
    + (* some *) cbn. eauto.
    + (* value *) cbn [run in_order]. specialize (IH _ _ _ _ _ E Fe Fa). apply option_of in IH as [->|(w & -> & W)]; auto using default_typed.
    + (* apply *) apply R.
    + (* map *) cbn [run in_order]. apply has_type_bag_of. apply Forall_map. specialize (IH0 _ _ nothing nothing _ E I I).
      apply has_type_elements in IH0. eapply Forall_impl; [|exact IH0]. cbn; intros v V. eapply IH; eauto; cbn; auto.
    + (* filter *) cbn [run in_order]. apply has_type_bag_of. specialize (IH0 _ _ nothing nothing _ E I I).
      apply has_type_elements in IH0. rewrite Forall_forall in *. intros v; rewrite filter_In; intros [? _]; auto.
    + (* cartesian *) cbn [run in_order]. apply has_type_bag_of.
      pose proof (has_type_elements _ _ (IH _ _ nothing nothing _ E I I)) as A.
      pose proof (has_type_elements _ _ (IH0 _ _ nothing nothing _ E1 I I)) as B.
      rewrite Forall_forall in *. intros v. rewrite in_flat_map. intros (x' & Hx & Hm). apply in_map_iff in Hm as (y' & <- & Hy).
      cbn; auto.
    + (* union *) cbn [run in_order]. apply has_type_bag_of. apply Forall_app. split;
      apply has_type_elements; [apply (IH None None); cbn; auto | apply (IH0 None None); cbn; auto].
    + (* distinct *) cbn [run in_order]. apply has_type_bag_of. pose proof (has_type_elements _ _ (IH _ _ nothing nothing _ E I I)) as A.
      rewrite Forall_forall in *. intros v; rewrite dedup_in; auto.
    + (* expand *) cbn [run in_order]. apply has_type_bag_of.
      pose proof (has_type_elements _ _ (IH0 _ _ nothing nothing _ E I I)) as A. rewrite Forall_forall in *. intros v.
      rewrite in_flat_map. intros (x' & X & Y). apply in_map_iff in Y as (y' & <- & Y). 
      match type of Y with In _ (elements (r ?n ?t)) => pose proof (has_type_elements _ _ (R n t)) as B end. rewrite Forall_forall in B. cbn; auto.
    + (* without *) cbn [run in_order]. apply has_type_bag_of. specialize (IH0 _ _ nothing nothing _ E I I).
      apply has_type_elements in IH0. rewrite Forall_forall in *. intros v; rewrite filter_In; intros [? _]; auto.
    + (* fold *) cbn [run in_order]. pose proof (has_type_elements _ _ (IH1 _ _ nothing nothing _ E0 I I)) as A. rewrite Forall_forall in A.
      apply fold_left_inv; [apply (IH None None); cbn; auto|]. intros; eapply IH0; eauto; cbn; auto.
    + (* fold by key *) cbn [run in_order]. apply has_type_bag_of.
      pose proof (has_type_elements _ _ (IH1 _ _ nothing nothing _ E0 I I)) as A. rewrite Forall_forall in A.
      apply Forall_map, Forall_forall. intros k K. apply (proj1 (dedup_in _ _)) in K. apply in_map_iff in K as (p & <- & P).
      cbn. repeat split.
      * eapply (pair_typed p), A; auto.
      * apply fold_left_inv; [apply (IH None None); cbn; auto|]. intros m v V M. apply in_map_iff in V as (q & <- & Q).
        apply filter_In in Q as [Q _]. eapply IH0; eauto; cbn; auto. eapply (pair_typed q), A; auto.
Qed.

(** Whether a value is of a type. *)
Fixpoint has_type_b (v : val) (t : ty) {struct v} : bool :=
  let fix all_of (vs : list val) (ts : list ty) : bool :=
    match vs, ts with [], [] => true | v :: vs, t :: ts => has_type_b v t && all_of vs ts | _, _ => false end in
  let fix each (vs : list val) (t : ty) : bool := match vs with [] => true | v :: vs => has_type_b v t && each vs t end in
  match v, t with
  | VInt _, TInt | VBool _, TBool | VText _, TText | VNone, TOpt _ => true
  | VSome v, TOpt t => has_type_b v t
  | VTup vs, TTup ts => all_of vs ts
  | VBag vs, TBag t => each vs t && list_eqb veqb (sort vs) vs
  | _, _ => false
  end.
Lemma has_type_b_ok v t : has_type_b v t = true -> has_type v t.
Proof.
  revert t; induction v using val_ind'; intros [] H'; try (cbn in *; tauto || discriminate).
  - apply IHv. exact H'.
  - apply has_type_tup. cbn in H'. revert components H'; induction H; intros []; cbn; try discriminate; [constructor|].
    rewrite andb_true_iff. intros [A B]. constructor; auto.
  - apply has_type_bag. cbn in H'. apply andb_true_iff in H' as [A B]. split.
    + clear B. induction H; constructor; apply andb_true_iff in A as [A B]; auto.
    + apply list_eqb_eq in B; auto. apply Forall_forall. intros x _ y E. now apply veqb_eq.
Qed.
Lemma has_type_b_complete v t : has_type v t -> has_type_b v t = true.
Proof.
  revert t; induction v using val_ind'; intros [] H'; try (cbn in *; tauto || discriminate).
  - apply IHv. exact H'.
  - apply has_type_tup in H'. cbn. revert components H'; induction H; intros k H'; inversion H'; subst; auto. apply andb_true_iff. auto.
  - apply has_type_bag in H' as [A B]. cbn. apply andb_true_iff. split.
    + clear B. induction H; inversion A; subst; auto. apply andb_true_iff. auto.
    + rewrite B. now apply vals_eqb_eq.
Qed.
